-- Applies a list of commands to a book. The parts apply-1 to apply-4 are one script.
-- Inputs: KEYS 1 meta, 2 accounts, 3 ids, 4 movements, 5 keys, 6 entries, 7 reversals, 8 expiring.
-- ARGV 1 the deadline in ms since 1970; then each command as lines (encode-list.ts): its words, the
--   fields of its movement as they are kept, the legs as they are kept.
-- Outputs: {'EPOCH'}: the book is not known to this server since it started; {'DEADLINE'}; or
--   {'OK', recorded in ms, the codes, what moved, then what only some answers have}.
-- Locks: none, since nothing else runs during a script. Everything is decided before anything is
-- written: an error half way would not take back what was written before it.

local BALANCE_MAX = 9007199254740991
-- The most arguments of one call: Lua unpacks fewer than 8,000.
local ARGUMENTS_MAX = 4000
local FROM, TO, ASSET, AMOUNT, AT_LEAST = 1, 2, 3, 4, 5

local meta_key, accounts_key, ids_key, movements_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local keys_key, entries_key, reversals_key, expiring_key = KEYS[5], KEYS[6], KEYS[7], KEYS[8]

local meta = redis.call('HMGET', meta_key, 'epoch', 'seq', 'recorded')
local epoch = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')
if meta[1] ~= epoch then return {'EPOCH'} end

local time = redis.call('TIME')
local recorded = time[1] * 1000 + math.floor(time[2] / 1000)
if recorded >= tonumber(ARGV[1]) then return {'DEADLINE'} end
recorded = math.max(recorded, tonumber(meta[3]))
local recorded_text = string.format('%d', recorded)
local seq = tonumber(meta[2])

-- id -> account; false where there is none.
local accounts = {}
-- Part and key, as in '0 order-1' -> movement; false where there is none.
local movements = {}

-- Calls back with each of `fields` and what the hash has under it.
local function read_hash(hash, fields, take)
  for first = 1, #fields, ARGUMENTS_MAX do
    local last = math.min(first + ARGUMENTS_MAX - 1, #fields)
    local values = redis.call('HMGET', hash, unpack(fields, first, last))
    for index = first, last do take(fields[index], values[index - first + 1]) end
  end
end

local function numbers(text)
  local list = {}
  for number in string.gmatch(text, '[^,]+') do list[#list + 1] = tonumber(number) end
  return list
end

local function take_account(id, text)
  if not text then
    accounts[id] = false
    return
  end
  local asset, floor, closed, posted, held, version =
    string.match(text, '^(%S+) (%S+) (%d) (%S+) (%S+) (%S+)$')
  accounts[id] = {
    asset = asset, floor = floor, closed = closed == '1',
    posted = tonumber(posted), held = tonumber(held), version = tonumber(version),
  }
end

local function account_of(id)
  if accounts[id] == nil then take_account(id, redis.call('HGET', accounts_key, id)) end
  return accounts[id]
end

local function parse_movement(text)
  local kind, at, expires, key, moved, legs =
    string.match(text, '^(%a+) (%d+) (%S+) (%S+) %d\n([^\n]*)\n[^\n]*\n(.*)$')
  return {
    text = text, kind = kind, key = key, recorded = tonumber(at), expires = tonumber(expires),
    moved_text = moved, legs_text = legs,
  }
end

local function legs_of(movement)
  if not movement.legs then movement.legs = cjson.decode(movement.legs_text) end
  return movement.legs
end

local function moved_of(movement)
  if not movement.moved then movement.moved = numbers(movement.moved_text) end
  return movement.moved
end

-- The commands, with the accounts and the movements that they name.
local commands = {}
do
  local ids, names = {}, {}
  local function want(list, known, name)
    if known[name] ~= nil then return end
    known[name] = false
    list[#list + 1] = name
  end
  for index = 2, #ARGV do
    local head, fields, legs_text = string.match(ARGV[index], '^([^\n]*)\n([^\n]*)\n(.*)$')
    local words = {}
    for word in string.gmatch(head, '%S+') do words[#words + 1] = word end
    local command = { kind = words[1], words = words, fields = fields, legs_text = legs_text }
    if words[1] == 'open' or words[1] == 'close' then
      want(ids, accounts, words[2])
    else
      want(names, movements, '0 ' .. words[2])
      if words[1] == 'settle' or words[1] == 'release' then
        want(names, movements, '1 ' .. words[2])
      elseif words[3] and words[3] ~= '-' then
        want(names, movements, '0 ' .. words[3])
        want(names, movements, '1 ' .. words[3])
      end
    end
    if legs_text ~= '' then
      command.legs = cjson.decode(legs_text)
      for _, leg in ipairs(command.legs) do
        want(ids, accounts, leg[TO])
        for _, id in ipairs(leg[FROM]) do want(ids, accounts, id) end
        leg[AMOUNT], leg[AT_LEAST] = tonumber(leg[AMOUNT]), tonumber(leg[AT_LEAST])
      end
    end
    commands[#commands + 1] = command
  end
  read_hash(accounts_key, ids, take_account)
  local found, name_of = {}, {}
  read_hash(keys_key, names, function(name, at)
    if not at then return end
    found[#found + 1] = at
    name_of[at] = name
  end)
  read_hash(movements_key, found, function(at, text) movements[name_of[at]] = parse_movement(text) end)
end
