-- A payout was released after a line of the statement had been matched with it: a finding, and what
-- the line moved was never in clearing.
-- Inputs: $1 book, $2 intake, $3 statement, $4 payout. Outputs: none. Locks: the allocations.
with moved as (
  update {schema}.statement_allocation set place = 'suspense'
  where book = $1 and intake = $2::bigint and statement = $3::integer and payout = $4
    and place = 'clearing'
  returning line, detail, role, books, bank
)
insert into {schema}.finding (book, intake, statement, line, detail, kind, payout, named, books, bank)
select $1, $2::bigint, $3::integer, line, detail, 'PAID_AFTER_RELEASE', $4, array[$4], books, bank
from moved where role = 'pays'
on conflict do nothing
