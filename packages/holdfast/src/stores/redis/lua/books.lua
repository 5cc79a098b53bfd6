-- The ids of all books that were noted, in no order. KEYS: 1 books. Returns: ids.

return redis.call('SMEMBERS', KEYS[1])
