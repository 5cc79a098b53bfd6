-- A page of all entries of a book, by account and version.
-- Inputs: $1 book, $2 and $3 the account and version that they come after ('' and 0: the start),
--   $4 how many. Outputs: rows. Locks: none.
-- The order names its columns in full: a plain `version` would be the text in the output.
select account, version::text, key, part, posted::text, held::text,
  {schema}.instant_text(recorded) as recorded
from {schema}.entry
where book = $1 and (account, version) > ($2::text collate "C", $3::text::bigint)
order by entry.account, entry.version
limit $4::integer
