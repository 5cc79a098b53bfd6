-- Keeps what the books said right after a statement was posted; the first one to say it is kept.
-- Inputs: $1 book, $2 intake, $3 statement, $4 when it was recorded or null, $5 what the books said.
-- Outputs: none. Locks: the statement.
update {schema}.statement set posted = coalesce($4::text::timestamptz, clock_timestamp()),
  books_after = $5::text::numeric
where book = $1 and intake = $2::bigint and number = $3::integer and posted is null
