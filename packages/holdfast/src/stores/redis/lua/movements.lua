-- The movements under some keys.
-- Inputs: KEYS 1 movements, 2 keys; ARGV part and key of each. Outputs: the texts of those there are.
-- Locks: none.

local places = {}
for _, place in ipairs(redis.call('HMGET', KEYS[2], unpack(ARGV))) do
  if place then places[#places + 1] = place end
end
if #places == 0 then return {} end
return redis.call('HMGET', KEYS[1], unpack(places))
