-- A page of the accounts of a book, by id.
-- Inputs: KEYS 1 accounts, 2 ids; ARGV 1 the id that they come after or '', 2 how many.
-- Outputs: the ids, then the texts.
-- Locks: none.

local after = ARGV[1] == '' and '-' or '(' .. ARGV[1]
local ids = redis.call('ZRANGE', KEYS[2], after, '+', 'BYLEX', 'LIMIT', 0, ARGV[2])
if #ids == 0 then return {{}, {}} end
return {ids, redis.call('HMGET', KEYS[1], unpack(ids))}
