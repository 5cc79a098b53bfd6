-- Lines of one side of a statement, in order.
-- Inputs: $1 book, $2 intake, $3 statement, $4 direction, $5 the line that they lie after, $6 how many.
-- Outputs: rows. Locks: none.
select statement, number, amount::text, currency, direction, status, reversal, booked::text,
  value::text, content
from {schema}.statement_line line
  join {schema}.statement_line_text using (book, intake, statement, number)
where book = $1 and intake = $2::bigint and statement = $3::integer and direction = $4
  and number > $5::integer
order by number
limit $6::integer
