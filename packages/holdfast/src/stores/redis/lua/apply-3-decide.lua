-- decide.ts and decide-reverse.ts, said in Lua: what each command comes to. Each function returns a
-- refusal, or nil and the movement. `moved` is one row, source after source: `first` is how many
-- sources come before the leg at hand.
-- Inputs: what the parts before it have read. Outputs: the table `decide`. Locks: as apply-1-read.

local function gives(amount) return -amount, 0 end
local function reserves(amount) return 0, amount end
local function frees(amount) return 0, -amount end

local function missing_account(legs)
  for _, leg in ipairs(legs) do
    for _, id in ipairs(leg[FROM]) do
      if not accounts[id] then return refuse('ACCOUNT_NOT_FOUND', { account = id }) end
    end
    if not accounts[leg[TO]] then return refuse('ACCOUNT_NOT_FOUND', { account = leg[TO] }) end
  end
  return nil
end

local function unusable_account(legs)
  for _, leg in ipairs(legs) do
    for _, id in ipairs(leg[FROM]) do
      if accounts[id].closed then return refuse('ACCOUNT_CLOSED', { account = id }) end
    end
    if accounts[leg[TO]].closed then return refuse('ACCOUNT_CLOSED', { account = leg[TO] }) end
  end
  for index, leg in ipairs(legs) do
    for _, id in ipairs(leg[FROM]) do
      if accounts[id].asset ~= leg[ASSET] then
        return refuse('ASSET_MISMATCH', { account = id, leg = index - 1 })
      end
    end
    if accounts[leg[TO]].asset ~= leg[ASSET] then
      return refuse('ASSET_MISMATCH', { account = leg[TO], leg = index - 1 })
    end
  end
  return nil
end

-- Puts what each source of a leg gives behind what is in `moved`. This is where the floor is kept.
local function take_from(leg, index, moved)
  local most = math.min(leg[AMOUNT], BALANCE_MAX)
  local missing = most
  for _, id in ipairs(leg[FROM]) do
    local gives = math.min(giveable(accounts[id]) or missing, missing)
    missing = missing - gives
    moved[#moved + 1] = gives
  end
  if most - missing < math.min(leg[AT_LEAST], BALANCE_MAX) then
    return refuse('INSUFFICIENT_FUNDS', { leg = index - 1, available = most - missing })
  end
  if leg[AT_LEAST] > BALANCE_MAX then return refuse('BALANCE_TOO_LARGE', { account = leg[TO] }) end
  return nil
end

local function ended_code(ending)
  return ending.kind == 'settle' and 'HOLD_SETTLED' or 'HOLD_RELEASED'
end

local function has_expired(hold)
  return hold.expires ~= nil and recorded - hold.recorded >= hold.expires
end

local function was_used(key)
  local stored = movements['0 ' .. key]
  return stored and refuse('EXISTS', { stored = stored.text })
end

-- The hold that has not ended, or how it ended; neither where there is no such hold.
local function open_hold(key)
  local ending = movements['1 ' .. key]
  if ending then return refuse(ended_code(ending)) end
  local hold = movements['0 ' .. key]
  return nil, hold and hold.kind == 'hold' and hold or nil
end

local function release_hold(hold, fields)
  local moved, first = moved_of(hold), 0
  for _, leg in ipairs(legs_of(hold)) do
    local refusal = lines(leg[FROM], moved, first, frees, '1 ' .. hold.key)
    if refusal then return refusal end
    first = first + #leg[FROM]
  end
  ended_holds[#ended_holds + 1] = hold.key
  return nil, movement('release', 1, hold.key, moved, fields, hold.legs_text)
end

local decide = {}

function decide.open(command)
  local _, id, asset, floor = unpack(command.words)
  local existing = accounts[id]
  if existing then
    local same = existing.asset == asset and existing.floor == floor
    return refuse(same and 'REPLAY' or 'ACCOUNT_DIFFERS', { account = id })
  end
  accounts[id] = { asset = asset, floor = floor, closed = false, posted = 0, held = 0, version = 0 }
  opened[#opened + 1] = id
  has_changed(id)
end

function decide.close(command)
  local id = command.words[2]
  local existing = accounts[id]
  if not existing then return refuse('ACCOUNT_NOT_FOUND', { account = id }) end
  if existing.closed then return refuse('REPLAY') end
  existing.closed = true
  has_changed(id)
end

function decide.transfer(command)
  local key = command.words[2]
  local unready = was_used(key) or missing_account(command.legs) or unusable_account(command.legs)
  if unready then return unready end
  local moved, first, name = {}, 0, '0 ' .. key
  for index, leg in ipairs(command.legs) do
    local refusal = take_from(leg, index, moved)
      or lines(leg[FROM], moved, first, gives, name)
      or line(leg[TO], total(moved, first, #leg[FROM]), 0, name)
    if refusal then return refusal end
    first = #moved
  end
  return nil, movement('transfer', 0, key, moved, command.fields, command.legs_text)
end

function decide.hold(command)
  local _, key, replaces, expires = unpack(command.words)
  local used = was_used(key)
  if used then return used end
  local ended, replaced = nil, nil
  if replaces ~= '-' then ended, replaced = open_hold(replaces) end
  local unready = ended or missing_account(command.legs)
  if unready then return unready end
  if replaces ~= '-' and not replaced then return refuse('HOLD_NOT_FOUND') end
  unready = unusable_account(command.legs)
  if unready then return unready end
  if replaced then
    local refusal, released = release_hold(replaced, '{}')
    if refusal then return refusal end
    command.also = released
  end
  local moved, first, name = {}, 0, '0 ' .. key
  for index, leg in ipairs(command.legs) do
    local refusal = take_from(leg, index, moved)
      or lines(leg[FROM], moved, first, reserves, name)
    if refusal then return refusal end
    first = #moved
  end
  return nil, movement('hold', 0, key, moved, command.fields, command.legs_text, expires)
end

function decide.settle(command)
  local _, key, amounts = unpack(command.words)
  local ending, hold = movements['1 ' .. key], movements['0 ' .. key]
  if ending then return refuse('ENDED', { stored = ending.text, moved = hold.moved_text }) end
  if not hold or hold.kind ~= 'hold' then return refuse('HOLD_NOT_FOUND') end
  local legs, held = legs_of(hold), moved_of(hold)
  local asked = amounts ~= '-' and numbers(amounts) or nil
  if asked and #asked ~= #legs then
    return refuse('INVALID_LEGS', { available = #legs, asked = #asked })
  end
  if has_expired(hold) then return refuse('HOLD_EXPIRED') end
  local first = 0
  for index, leg in ipairs(legs) do
    local available = total(held, first, #leg[FROM])
    if asked and asked[index] > available then
      return refuse('AMOUNT_EXCEEDS_HOLD', { leg = index - 1, available = available })
    end
    first = first + #leg[FROM]
  end
  local paid, name = {}, '1 ' .. key
  first = 0
  for index, leg in ipairs(legs) do
    local count = #leg[FROM]
    fill(held, first, count, asked and asked[index] or total(held, first, count), paid)
    local sum = total(paid, first, count)
    local refusal = lines(leg[FROM], held, first, function(amount, at) return -paid[at], -amount end, name)
      or (sum > 0 and line(leg[TO], sum, 0, name))
    if refusal then return refusal end
    first = first + count
  end
  ended_holds[#ended_holds + 1] = key
  return nil, movement('settle', 1, key, paid, command.fields, hold.legs_text)
end

function decide.release(command)
  local _, key, if_expired = unpack(command.words)
  local ending, hold = movements['1 ' .. key], movements['0 ' .. key]
  if ending then return refuse('ENDED', { stored = ending.text, moved = hold.moved_text }) end
  if not hold or hold.kind ~= 'hold' then return refuse('HOLD_NOT_FOUND') end
  if if_expired == 'ifExpired' and not has_expired(hold) then return refuse('HOLD_NOT_EXPIRED') end
  return release_hold(hold, command.fields)
end

-- What each source has given and has not been paid back yet; nil where there is nothing to mirror.
local function what_is_left(original)
  local ending = movements['1 ' .. original.key]
  local given = original
  if original.kind == 'hold' then given = ending and ending.kind == 'settle' and ending or nil end
  if not given or (original.kind ~= 'transfer' and original.kind ~= 'hold') then return nil end
  local back = given_back[original.key]
  if not back then
    back = numbers(redis.call('HGET', reversals_key, original.key) or '')
    given_back[original.key] = back
  end
  local left = {}
  for index, amount in ipairs(moved_of(given)) do left[index] = amount - (back[index] or 0) end
  return left
end

function decide.reverse(command)
  local _, key, of, amounts, may_owe = unpack(command.words)
  local used = was_used(key)
  if used then return used end
  local original = movements['0 ' .. of]
  if not original then return refuse('TRANSFER_NOT_FOUND') end
  local left = what_is_left(original)
  if not left then return refuse('NOT_REVERSIBLE') end
  local legs = legs_of(original)
  local asked = amounts ~= '-' and numbers(amounts) or nil
  if asked and #asked ~= #legs then
    return refuse('INVALID_LEGS', { available = #legs, asked = #asked })
  end
  local first, all = 0, {}
  for index, leg in ipairs(legs) do
    all[index] = total(left, first, #leg[FROM])
    first = first + #leg[FROM]
  end
  asked = asked or all
  if total(asked, 0, #legs) == 0 then
    return refuse('AMOUNT_EXCEEDS_TRANSFER', { leg = 0, available = 0, asked = 0 })
  end
  for index, amount in ipairs(asked) do
    if amount > all[index] then
      return refuse('AMOUNT_EXCEEDS_TRANSFER', { leg = index - 1, available = all[index] })
    end
  end
  local moved, name = {}, '0 ' .. key
  for index = #legs, 1, -1 do
    local leg, amount = legs[index], asked[index]
    first = first - #leg[FROM]
    fill_back(left, first, #leg[FROM], amount, moved)
    if amount > 0 then
      local giver = account_of(leg[TO])
      local available = giveable(giver)
      if may_owe == '-' and available and available < amount then
        return refuse('INSUFFICIENT_FUNDS',
          { leg = index - 1, account = leg[TO], available = available, asked = amount })
      end
      local refusal = line(leg[TO], -amount, 0, name)
      for source = #leg[FROM], 1, -1 do
        local back = moved[first + source]
        if not refusal and back > 0 then refusal = line(leg[FROM][source], back, 0, name) end
      end
      if refusal then return refusal end
    end
  end
  command.pays_back = original.key
  return nil, movement('reverse', 0, key, moved, command.fields, original.legs_text)
end
