-- The movements under some keys, by key: of each the first, and the end of a hold.
-- Inputs: $1 book, $2 the keys. Outputs: up to two rows of JSON a key. Locks: none.
select {schema}.movement_json(m)::text as movement
from {schema}.movement m
where m.book = $1 and m.key = any($2::text[])
order by m.key, m.part
