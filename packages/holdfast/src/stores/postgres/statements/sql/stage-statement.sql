-- Stages the head of a statement.
-- Inputs: $1 book, $2 intake, $3 number, $4 bank, $5 id, $6 account, $7 format, $8 opening, $9 closing,
--   $10 lines, $11 booked lines, $12 what they moved, $13 their first and $14 their last day.
-- Outputs: one row, or none where the intake is gone or was accepted. Locks: the intake.
with alive as (
  update {schema}.statement_intake set touched = clock_timestamp()
  where book = $1 and intake = $2::bigint and accepted is null
  returning intake
)
insert into {schema}.statement (book, intake, number, bank, id, account, format, opening, closing,
  lines, booked_lines, moved, first_day, last_day, day)
select $1, intake, $3::integer, $4, $5, $6, $7, $8::numeric, $9::numeric, $10::integer, $11::integer,
  $12::numeric, $13::date, $14::date, $14::date
from alive
returning intake::text
