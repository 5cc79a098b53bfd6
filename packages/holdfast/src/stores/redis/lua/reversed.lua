-- What has been reversed of a movement.
-- Inputs: KEYS 1 reversals, 2 keys, 3 movements; ARGV 1 the key of the original.
-- Outputs: what was paid back, source by source, and the text of the original; nothing where nothing
--   has been reversed.
-- Locks: none.

local paid_back = redis.call('HGET', KEYS[1], ARGV[1])
if not paid_back then return {} end
return {paid_back, redis.call('HGET', KEYS[3], redis.call('HGET', KEYS[2], '0 ' .. ARGV[1]))}
