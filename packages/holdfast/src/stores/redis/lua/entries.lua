-- A page of an account's entries, newest first.
-- Inputs: KEYS 1 accounts, 2 entries; ARGV 1 account, 2 the version that they lie below or '', 3 how many.
-- Outputs: the highest version of the page, then the texts.
-- Locks: none.

local account = redis.call('HGET', KEYS[1], ARGV[1])
if not account then return {'0', {}} end
local newest = tonumber(string.match(account, '(%d+)$'))
if ARGV[2] ~= '' then newest = math.min(newest, tonumber(ARGV[2]) - 1) end
local fields = {}
for version = newest, math.max(newest - tonumber(ARGV[3]) + 1, 1), -1 do
  fields[#fields + 1] = string.format('%s %d', ARGV[1], version)
end
if #fields == 0 then return {'0', {}} end
return {string.format('%d', newest), redis.call('HMGET', KEYS[2], unpack(fields))}
