-- Lets lists be applied to a book on this server until it starts again or another takes its place.
-- Inputs: KEYS 1 meta.
-- Outputs: OK.
-- Locks: none.

redis.call('HSETNX', KEYS[1], 'seq', '0')
redis.call('HSETNX', KEYS[1], 'recorded', '0')
redis.call('HSET', KEYS[1], 'epoch', string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)'))
return redis.status_reply('OK')
