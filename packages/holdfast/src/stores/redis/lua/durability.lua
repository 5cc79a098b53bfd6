-- What a server says of how it keeps data. Inputs: KEYS 1 any that it has.
-- Outputs: 1 where the append-only file is on, the eviction policy.
-- Locks: none.

return {
  string.match(redis.call('INFO', 'persistence'), 'aof_enabled:(%d)'),
  string.match(redis.call('INFO', 'memory'), 'maxmemory_policy:(%S+)'),
}
