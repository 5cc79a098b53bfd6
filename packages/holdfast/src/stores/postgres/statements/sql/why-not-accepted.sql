-- Why an intake was not accepted.
-- Inputs: $1 book, $2 bank, $3 intake, $4 hash.
-- Outputs: one row: the accepted intake of the same bytes, or the first clash, or neither where the
--   intake itself is gone. Locks: none; the bank's row is held.
select (
    select other.intake::text from {schema}.statement_intake other
    where other.book = $1 and other.bank = $2 and other.hash = $4 and other.accepted is not null
  ) as before,
  clash.code, clash.number, clash.id, clash.account, clash.other_account, clash.other_hash
from (select) always
  left join (
    select * from {schema}.statement_clashes($1, $2, $3::bigint) order by number limit 1
  ) clash on true
