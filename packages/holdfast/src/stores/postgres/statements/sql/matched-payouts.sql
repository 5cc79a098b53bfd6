-- Payouts that a statement has matched, and what has come back of each on all statements.
-- Inputs: $1 book, $2 intake, $3 statement, $4 the payout that they lie after, $5 how many.
-- Outputs: rows. Locks: none.
select mine.payout, bool_or(mine.role = 'pays') as paid, (
    select coalesce(sum(known.books), 0)::text from {schema}.statement_allocation known
    where known.book = $1 and known.payout = mine.payout and known.role = 'returns'
  ) as returned
from {schema}.statement_allocation mine
where mine.book = $1 and mine.intake = $2::bigint and mine.statement = $3::integer
  and mine.payout > $4 and mine.role is not null
group by mine.payout
order by mine.payout
limit $5::integer
