-- Removes an intake that was not accepted, with all that it staged.
-- Inputs: $1 book, $2 intake. Outputs: none. Locks: the intake.
delete from {schema}.statement_intake where book = $1 and intake = $2::bigint and accepted is null
