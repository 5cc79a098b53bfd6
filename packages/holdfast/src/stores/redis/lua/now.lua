-- The time by the clock of the server that has the key. KEYS: 1 any. Returns: ms since 1970 as text.

local time = redis.call('TIME')
return string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000))
