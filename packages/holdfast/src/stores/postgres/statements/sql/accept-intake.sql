-- Accepts an intake: the one update that makes its lines count.
-- Inputs: $1 book, $2 bank, $3 intake, $4 hash. Outputs: one row, or none where it is refused.
-- Locks: the intake; the bank's row is held, so that what is asked here stays true.
update {schema}.statement_intake set accepted = clock_timestamp()
where book = $1 and intake = $3::bigint and accepted is null
  and not exists (
    select from {schema}.statement_intake other
    where other.book = $1 and other.bank = $2 and other.hash = $4 and other.accepted is not null
  )
  and not exists (select from {schema}.statement_clashes($1, $2, $3::bigint))
returning intake::text
