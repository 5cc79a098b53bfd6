-- How many accounts a book has. KEYS: 1 ids. Returns: the count.

return redis.call('ZCARD', KEYS[1])
