-- What people write by hand: takes a price off one balance, once an id.
-- Inputs: KEYS 1 the balances, 2 the ids that were charged; ARGV 1 the buyer, 2 the price, 3 the id.
-- Outputs: 1 where it was charged, 0 where it had been, -1 where the money is not there.
-- Locks: none.

if redis.call('SISMEMBER', KEYS[2], ARGV[3]) == 1 then return 0 end
if tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 0) < tonumber(ARGV[2]) then return -1 end
redis.call('HINCRBY', KEYS[1], ARGV[1], -ARGV[2])
redis.call('SADD', KEYS[2], ARGV[3])
return 1
