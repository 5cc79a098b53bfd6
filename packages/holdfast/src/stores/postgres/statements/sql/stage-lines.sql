-- Stages lines, their free text apart from them.
-- Inputs: $1 book, $2 intake, $3 the lines as JSON (line-record.ts).
-- Outputs: one row, or none where the intake is gone or was accepted. Locks: the intake.
with alive as (
  update {schema}.statement_intake set touched = clock_timestamp()
  where book = $1 and intake = $2::bigint and accepted is null
  returning intake
), staged as (
  select alive.intake, x.*
  from alive, jsonb_to_recordset($3::text::jsonb) as x(
    statement integer, number integer, amount bigint, currency text, direction text, status text,
    reversal boolean, booked date, value date, content text
  )
), lines as (
  insert into {schema}.statement_line (book, intake, statement, number, amount, currency, direction,
    status, reversal, booked, value)
  select $1, intake, statement, number, amount, currency, direction, status, reversal, booked, value
  from staged
), texts as (
  insert into {schema}.statement_line_text (book, intake, statement, number, content)
  select $1, intake, statement, number, content from staged
)
select intake::text from alive
