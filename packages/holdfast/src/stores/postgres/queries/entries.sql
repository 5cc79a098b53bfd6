-- A page of an account's entries, newest first.
-- Inputs: $1 book, $2 account, $3 the version that they lie below or null, $4 how many.
-- Outputs: rows. Locks: none.
select account, version::text, key, part, posted::text, held::text,
  {schema}.instant_text(recorded) as recorded
from {schema}.entry
where book = $1 and account = $2 and ($3::text is null or version < $3::text::bigint)
order by entry.version desc
limit $4::integer
