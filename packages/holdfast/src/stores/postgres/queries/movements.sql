-- The movements under a key: the first, and the end of a hold.
-- Inputs: $1 book, $2 key. Outputs: up to two rows of JSON. Locks: none.
select {schema}.movement_json(m)::text as movement
from {schema}.movement m
where m.book = $1 and m.key = $2
order by m.part
