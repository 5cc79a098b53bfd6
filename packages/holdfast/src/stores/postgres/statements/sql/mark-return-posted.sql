-- Writes down that the ledger and the payout have been told of a late return.
-- Inputs: $1 book, $2 intake, $3 statement, $4 line, $5 detail. Outputs: none. Locks: the return.
update {schema}.statement_late_return set posted = clock_timestamp()
where book = $1 and intake = $2::bigint and statement = $3::integer and line = $4::integer
  and detail = $5::integer and posted is null
