-- Writes down what lines may be about although they were not matched with it.
-- Inputs: $1 book, $2 intake, $3 statement, $4 the clues as JSON. Outputs: none. Locks: none.
insert into {schema}.statement_clue (book, intake, statement, line, clue, payout, amount)
select $1, $2::bigint, $3::integer, x.*
from jsonb_to_recordset($4::text::jsonb) as x(
  line integer, clue integer, payout text, amount numeric
)
