-- Gives statements without lines the day of the one before, so that they have a place in the order.
-- Inputs: $1 book, $2 bank, $3 intake. Outputs: none. Locks: these statements; the bank's row is held.
update {schema}.statement empty set day = (
  select max(known.day) from {schema}.statement known
    join {schema}.statement_intake using (book, intake)
  where known.book = $1 and known.bank = $2 and accepted is not null
    and (known.intake <> $3::bigint or known.number < empty.number)
)
where book = $1 and intake = $3::bigint and day is null
