-- How many accounts a book has. Inputs: KEYS 1 ids. Outputs: the count.
-- Locks: none.

return redis.call('ZCARD', KEYS[1])
