-- An account now, or as it stood at a recorded time.
-- Inputs: KEYS 1 accounts, 2 entries; ARGV 1 account, 2 the time in ms or ''.
-- Outputs: the account's text, and of its last entry at that time the version and the text; false
--   where there is none.
-- Versions have no gap and their times never go back, so the entry is found by bisection.
-- Locks: none.

local account = redis.call('HGET', KEYS[1], ARGV[1])
if not account or ARGV[2] == '' then return {account, false} end

local function entry(version)
  return redis.call('HGET', KEYS[2], string.format('%s %d', ARGV[1], version))
end

local at = tonumber(ARGV[2])
local low, high = 0, tonumber(string.match(account, '(%d+)$'))
while low < high do
  local middle = math.floor((low + high + 1) / 2)
  local recorded = tonumber(string.match(entry(middle), '^%S+ %S+ (%d+)'))
  if recorded <= at then low = middle else high = middle - 1 end
end
return {account, low > 0 and {string.format('%d', low), entry(low)}}
