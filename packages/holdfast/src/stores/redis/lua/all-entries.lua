-- A part of a page of all entries of a book, by account and version.
-- Inputs: KEYS 1 accounts, 2 ids, 3 entries; ARGV 1 and 2 the account and version that they come after
--   ('' and 0: the start), 3 how many.
-- Outputs: the last account that was looked at ('' where there are no more), then for each entry its
--   account and version, and its text.
-- Locks: none.

local ACCOUNTS_MAX = 200
local wanted = tonumber(ARGV[3])
local from = ARGV[1] == '' and '-' or '[' .. ARGV[1]
local ids = redis.call('ZRANGE', KEYS[2], from, '+', 'BYLEX', 'LIMIT', 0, ACCOUNTS_MAX)
local places, texts = {}, {}
for _, id in ipairs(ids) do
  local newest = tonumber(string.match(redis.call('HGET', KEYS[1], id), '(%d+)$'))
  local first = (id == ARGV[1] and tonumber(ARGV[2]) or 0) + 1
  local fields = {}
  for version = first, math.min(newest, first + wanted - #places - 1) do
    fields[#fields + 1] = string.format('%s %d', id, version)
  end
  if #fields > 0 then
    for index, text in ipairs(redis.call('HMGET', KEYS[3], unpack(fields))) do
      places[#places + 1] = fields[index]
      texts[#texts + 1] = text
    end
  end
  if #places == wanted then break end
end
local exhausted = #ids < ACCOUNTS_MAX or #places == wanted
return {exhausted and '' or ids[#ids], places, texts}
