-- The time by the clock of the server that has the key. Inputs: KEYS 1 any. Outputs: ms since 1970 as text.
-- Locks: none.

local time = redis.call('TIME')
return string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000))
