-- Opens an intake.
-- Inputs: $1 book, $2 bank, $3 hash. Outputs: one row. Locks: none.
insert into {schema}.statement_intake (book, bank, hash) values ($1, $2, $3)
returning intake::text
