-- Removes intakes of a bank that were not accepted and have stood still, with all that they staged.
-- Inputs: $1 book, $2 bank, $3 for how long they have stood still, in milliseconds.
-- Outputs: none. Locks: the intakes that are removed.
delete from {schema}.statement_intake
where book = $1 and bank = $2 and accepted is null
  and touched < clock_timestamp() - $3::bigint * interval '1 millisecond'
