-- The accepted intake of a file.
-- Inputs: $1 book, $2 bank, $3 hash. Outputs: one row, or none. Locks: none.
select intake::text from {schema}.statement_intake
where book = $1 and bank = $2 and hash = $3 and accepted is not null
