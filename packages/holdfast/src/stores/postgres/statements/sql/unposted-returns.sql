-- Late returns of a bank that the ledger has not been told of: what each moves beside what its
-- statement has posted, and what has come back of the payout on all statements.
-- Inputs: $1 book, $2 bank, $3 how many. Outputs: rows, in a fixed order. Locks: none.
select late.intake::text, hash, late.statement, late.line, late.detail, late.payout, (
    select coalesce(sum(known.books), 0)::text from {schema}.statement_allocation known
    where known.book = $1 and known.payout = late.payout and known.role = 'returns'
  ) as returned,
  coalesce(sum(part.books) filter (where place = 'clearing'), 0)::text as clearing,
  coalesce(sum(part.books) filter (where place = 'fees'), 0)::text as fees,
  (coalesce(sum(part.books) filter (where place = 'suspense'), 0) - suspended)::text as suspense
from {schema}.statement_late_return late
  join {schema}.statement_intake on statement_intake.book = $1
    and statement_intake.intake = late.intake and statement_intake.bank = $2
  join {schema}.statement_allocation part on part.book = $1 and part.intake = late.intake
    and part.statement = late.statement and part.line = late.line and part.detail = late.detail
where late.book = $1 and late.posted is null
group by late.book, late.intake, late.statement, late.line, late.detail, hash
order by late.intake, late.statement, late.line, late.detail
limit $3::integer
