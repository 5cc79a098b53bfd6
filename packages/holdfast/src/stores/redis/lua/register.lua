-- Notes that there is a book. Inputs: KEYS 1 books; ARGV 1 book.
-- Outputs: OK.
-- Locks: none.

redis.call('SADD', KEYS[1], ARGV[1])
return redis.status_reply('OK')
