-- Carries out the commands one by one, then writes all that has changed.
-- Inputs: what the parts before it have read. Outputs: the answer of the whole script. Locks: as apply-1-read.

local codes, moved_texts, answers = {}, {}, {}

local function pay_back(key, moved)
  local back = given_back[key]
  for index, amount in ipairs(moved) do back[index] = (back[index] or 0) + amount end
  if is_paid_back[key] then return end
  is_paid_back[key] = true
  paid_back[#paid_back + 1] = key
end

for index, command in ipairs(commands) do
  local entries_before, ended_before = entry_count, #ended_holds
  undo_count = 0
  local refusal, fresh = decide[command.kind](command)
  local details = refusal or { code = 'OK' }
  codes[index], moved_texts[index] = details.code, details.moved or ''
  if refusal then
    take_back(entries_before)
    ended_holds[ended_before + 1] = nil
  elseif fresh then
    if command.also then add(command.also) end
    add(fresh)
    if command.pays_back then pay_back(command.pays_back, fresh.moved) end
    if command.kind == 'transfer' or command.kind == 'hold' then
      moved_texts[index] = fresh.moved_text
    else
      details.stored = fresh.text
    end
  end
  if details.stored or details.leg or details.account or details.available then
    answers[#answers + 1] = {
      index - 1, details.leg or false, details.account or false,
      details.available and string.format('%d', details.available) or false,
      details.asked and string.format('%d', details.asked) or false, details.stored or false,
    }
  end
end

-- Calls a command with its key and at most so many of the arguments at a time.
local function write(name, key, arguments, count)
  for first = 1, count, ARGUMENTS_MAX do
    redis.call(name, key, unpack(arguments, first, math.min(first + ARGUMENTS_MAX - 1, count)))
  end
end

local account_arguments = {}
for _, id in ipairs(changed) do
  local account = accounts[id]
  account_arguments[#account_arguments + 1] = id
  account_arguments[#account_arguments + 1] = string.format('%s %s %d %d %d %d', account.asset,
    account.floor, account.closed and 1 or 0, account.posted, account.held, account.version)
end
local id_arguments = {}
for _, id in ipairs(opened) do
  id_arguments[#id_arguments + 1] = '0'
  id_arguments[#id_arguments + 1] = id
end
local movement_arguments, key_arguments, expiry_arguments = {}, {}, {}
for _, each in ipairs(written) do
  seq = seq + 1
  local place = string.format('%d', seq)
  movement_arguments[#movement_arguments + 1] = place
  movement_arguments[#movement_arguments + 1] = each.text
  key_arguments[#key_arguments + 1] = each.part .. ' ' .. each.key
  key_arguments[#key_arguments + 1] = place
  if each.expires then
    expiry_arguments[#expiry_arguments + 1] = string.format('%d', each.recorded + each.expires)
    expiry_arguments[#expiry_arguments + 1] = each.key
  end
end
local back_arguments = {}
for _, key in ipairs(paid_back) do
  back_arguments[#back_arguments + 1] = key
  back_arguments[#back_arguments + 1] = joined(given_back[key])
end

write('HSET', accounts_key, account_arguments, #account_arguments)
write('ZADD', ids_key, id_arguments, #id_arguments)
write('HSET', movements_key, movement_arguments, #movement_arguments)
write('HSET', keys_key, key_arguments, #key_arguments)
write('HSET', entries_key, entry_arguments, entry_count)
write('HSET', reversals_key, back_arguments, #back_arguments)
write('ZADD', expiring_key, expiry_arguments, #expiry_arguments)
write('ZREM', expiring_key, ended_holds, #ended_holds)
redis.call('HSET', meta_key, 'seq', string.format('%d', seq), 'recorded', recorded_text)

return { 'OK', recorded_text, table.concat(codes, ','), table.concat(moved_texts, ';'), unpack(answers) }
