-- A page of the movements in the order in which they took effect.
-- Inputs: KEYS 1 meta, 2 movements; ARGV 1 the sequence number after which it goes on, 2 how many.
-- Outputs: the texts.
-- Locks: none.

local after = tonumber(ARGV[1])
local last = math.min(tonumber(redis.call('HGET', KEYS[1], 'seq') or 0), after + tonumber(ARGV[2]))
local places = {}
for place = after + 1, last do places[#places + 1] = string.format('%d', place) end
if #places == 0 then return {} end
return redis.call('HMGET', KEYS[2], unpack(places))
