-- Lines of one sweep of a statement, in order: debits, those of them that wait, or credits. A line
-- that moved something and was matched has an allocation; one without has waited.
-- Inputs: $1 book, $2 intake, $3 statement, $4 sweep, $5 the line that they lie after, $6 how many.
-- Outputs: rows. Locks: none.
-- The page is cut before its texts are joined, which are bounded too: either join is then short.
select line.statement, line.number, amount::text, currency, direction, status, reversal, booked::text,
  value::text, content
from (
  select * from {schema}.statement_line candidate
  where book = $1 and intake = $2::bigint and statement = $3::integer
    and direction = case $4 when 'credit' then 'credit' else 'debit' end
    and number > $5::integer
    and ($4 <> 'waiting' or (status = 'booked' and amount > 0 and not exists (
      select from {schema}.statement_allocation part
      where part.book = $1 and part.intake = $2::bigint and part.statement = $3::integer
        and part.line = candidate.number
    )))
  order by number
  limit $6::integer
) line
  join {schema}.statement_line_text erasable
    on erasable.book = $1 and erasable.intake = $2::bigint and erasable.statement = $3::integer
      and erasable.number = line.number and erasable.number > $5::integer
order by line.number
