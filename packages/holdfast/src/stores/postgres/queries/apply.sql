-- A list of commands in one step. See migrations/0005-apply.sql.
-- Inputs: $1 book, $2 the deadline or null, then the arrays of the type list, in its order, as text.
-- Outputs: one row. Locks: those of apply_v1.
select recorded, codes, moved, more::text as more
from {schema}.apply_v1($1, row(
  $3::text::text[], $4::text::text[], $5::text::integer[], $6::text::text[], $7::text::integer[],
  $8::text::integer[], $9::text::integer[], $10::text::text[], $11::text::numeric[],
  $12::text::integer[], $13::text::integer[], $14::text::integer[], $15::text::integer[],
  $16::text::bigint[], $17::text::boolean[], $18::text::boolean[], $19::text::text[],
  $20::text::timestamptz[], $21::text::text[], $22::text::text[], $23::text::text[],
  $24::text::numeric[], $25::text::integer[], $26::text::text[], $27::text::numeric[],
  $28::text::numeric[], $29::text::integer[], $30::text::integer[], $31::text::integer[]
)::{schema}.list, $2::text::timestamptz)
