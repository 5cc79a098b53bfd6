-- Notes that there is a book. KEYS: 1 books. ARGV: 1 book.

redis.call('SADD', KEYS[1], ARGV[1])
return redis.status_reply('OK')
