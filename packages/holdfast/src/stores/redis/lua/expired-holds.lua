-- Holds that have expired and have not ended, oldest first.
-- Inputs: KEYS 1 keys, 2 expiring; ARGV 1 how many. Outputs: keys.
-- The order is that in which they were made, among the first EXPIRED_MAX that expired.
-- Locks: none.

local EXPIRED_MAX = 5000
local time = redis.call('TIME')
local now = string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000))
local expired = redis.call('ZRANGE', KEYS[2], '-inf', now, 'BYSCORE', 'LIMIT', 0, EXPIRED_MAX)
if #expired == 0 then return {} end
local names, place_of = {}, {}
for index, key in ipairs(expired) do names[index] = '0 ' .. key end
for index, place in ipairs(redis.call('HMGET', KEYS[1], unpack(names))) do
  place_of[expired[index]] = tonumber(place)
end
table.sort(expired, function(first, second) return place_of[first] < place_of[second] end)
return {unpack(expired, 1, math.min(#expired, tonumber(ARGV[1])))}
