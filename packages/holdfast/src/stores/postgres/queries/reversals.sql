-- The reversals of a movement.
-- Inputs: $1 book, $2 the key of the original. Outputs: a row of JSON a reversal. Locks: none.
select {schema}.movement_json(m)::text as movement
from {schema}.movement m
where m.book = $1 and m.of = $2
