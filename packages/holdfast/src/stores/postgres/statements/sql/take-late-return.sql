-- Takes a credit that was left aside out of suspense, with its finding, to be matched again.
-- Inputs: $1 book, $2 intake, $3 statement, $4 line, $5 detail.
-- Outputs: one row, the number that its next part may have, or none where somebody else has taken it.
-- Locks: what it removes; the bank's row is held.
with found as (
  delete from {schema}.finding
  where book = $1 and intake = $2::bigint and statement = $3::integer and line = $4::integer
    and detail = $5::integer and kind = 'STATUS_DIFFERS' and bank > 0
  returning payout
), freed as (
  delete from {schema}.statement_allocation
  where book = $1 and intake = $2::bigint and statement = $3::integer and line = $4::integer
    and detail = $5::integer and exists (select from found)
  returning books
)
insert into {schema}.statement_late_return (book, intake, statement, line, detail, payout, suspended)
select $1, $2::bigint, $3::integer, $4::integer, $5::integer, payout, (select sum(books) from freed)
from found
returning (
  select max(part) + 1 from {schema}.statement_allocation
  where book = $1 and intake = $2::bigint and statement = $3::integer and line = $4::integer
) as part
