-- A page of all entries of a book, by account and version.
-- Inputs: $1 book, $2 and $3 the account and version that they come after ('' and 0: the start),
--   $4 how many. Outputs: one row: of each column a JSON array, null where there is no entry.
-- Locks: none.
select json_agg(account)::text as account, json_agg(version::text)::text as version,
  json_agg(key)::text as key, json_agg(part)::text as part, json_agg(posted::text)::text as posted,
  json_agg(held::text)::text as held, json_agg({schema}.instant_text(recorded))::text as recorded
from (
  select * from {schema}.entry
  where book = $1 and (account, version) > ($2::text collate "C", $3::text::bigint)
  order by account, version
  limit $4::integer
) page
