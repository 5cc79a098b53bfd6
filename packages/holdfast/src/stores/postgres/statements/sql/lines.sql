-- Lines of one side of a statement, in order.
-- Inputs: $1 book, $2 intake, $3 statement, $4 direction, $5 the line that they lie after, $6 how many.
-- Outputs: rows. Locks: none.
-- The page is cut before its texts are joined, which are bounded too: either join is then short.
select line.statement, line.number, amount::text, currency, direction, status, reversal, booked::text,
  value::text, content
from (
  select * from {schema}.statement_line
  where book = $1 and intake = $2::bigint and statement = $3::integer and direction = $4
    and number > $5::integer
  order by number
  limit $6::integer
) line
  join {schema}.statement_line_text erasable
    on erasable.book = $1 and erasable.intake = $2::bigint and erasable.statement = $3::integer
      and erasable.number = line.number and erasable.number > $5::integer
order by line.number
