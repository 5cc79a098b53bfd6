-- The ids of all books that were noted, in no order. Inputs: KEYS 1 books. Outputs: ids.
-- Locks: none.

return redis.call('SMEMBERS', KEYS[1])
