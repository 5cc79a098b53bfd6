-- Writes down where lines ended.
-- Inputs: $1 book, $2 intake, $3 statement, $4 the allocations as JSON. Outputs: none. Locks: none.
insert into {schema}.statement_allocation (book, intake, statement, line, part, detail, place, payout,
  role, books, bank)
select $1, $2::bigint, $3::integer, x.*
from jsonb_to_recordset($4::text::jsonb) as x(
  line integer, part integer, detail integer, place text, payout text, role text, books bigint,
  bank bigint
)
