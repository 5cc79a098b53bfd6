-- Erases what may be personal in the lines of posted statements up to a day.
-- Inputs: $1 book, $2 bank, $3 the day. Outputs: one row: how many lines. Locks: these texts.
with erased as (
  delete from {schema}.statement_line_text line using {schema}.statement
  where statement.book = $1 and statement.bank = $2 and statement.posted is not null
    and statement.day <= $3::date
    and line.book = $1 and line.intake = statement.intake and line.statement = statement.number
  returning 1
)
select count(*)::text as lines from erased
