-- What the list changes, and how one command of it is taken back.
-- Inputs: what the parts before it have read. Outputs: what the list changes, as tables. Locks: as apply-1-read.

-- Accounts that have changed, once each; those among them that are new.
local changed, is_changed, opened = {}, {}, {}
-- Fields and values for the hashes, in turn.
local entry_arguments, entry_count = {}, 0
local written, ended_holds = {}, {}
-- key of an original -> what its sources have been paid back; those of them that have changed.
local given_back, paid_back, is_paid_back = {}, {}, {}
-- What the command at hand has changed so far: account, posted, held, version, and so on.
local undo, undo_count = {}, 0

local function refuse(code, details)
  details = details or {}
  details.code = code
  return details
end

local function has_changed(id)
  if is_changed[id] then return end
  is_changed[id] = true
  changed[#changed + 1] = id
end

local function beyond(balance)
  return balance > BALANCE_MAX or balance < -BALANCE_MAX
end

-- Writes one line of the movement `name` on an account, unless a balance leaves the limits.
local function line(id, posted, held, name)
  local account = account_of(id)
  local posted_after, held_after = account.posted + posted, account.held + held
  if beyond(posted_after) or beyond(held_after) or beyond(posted_after - held_after) then
    return refuse('BALANCE_TOO_LARGE', { account = id })
  end
  undo[undo_count + 1], undo[undo_count + 2] = account, account.posted
  undo[undo_count + 3], undo[undo_count + 4] = account.held, account.version
  undo_count = undo_count + 4
  account.posted, account.held, account.version = posted_after, held_after, account.version + 1
  entry_arguments[entry_count + 1] = string.format('%s %d', id, account.version)
  entry_arguments[entry_count + 2] =
    string.format('%d %d %s %s', posted_after, held_after, recorded_text, name)
  entry_count = entry_count + 2
  has_changed(id)
  return nil
end

-- One line for each account with an amount other than 0; `change` gives posted and held.
local function lines(ids, amounts, first, change, name)
  for index, id in ipairs(ids) do
    local amount = amounts[first + index]
    if amount ~= 0 then
      local posted, held = change(amount, first + index)
      local refusal = line(id, posted, held, name)
      if refusal then return refusal end
    end
  end
  return nil
end

-- Leaves no trace of a command that is refused.
local function take_back(entries_before)
  for index = undo_count - 3, 1, -4 do
    local account = undo[index]
    account.posted, account.held, account.version = undo[index + 1], undo[index + 2], undo[index + 3]
  end
  entry_count = entries_before
end

local function joined(amounts)
  local texts = {}
  for index, amount in ipairs(amounts) do texts[index] = string.format('%d', amount) end
  return table.concat(texts, ',')
end

-- A fresh movement; it counts once its command is carried out.
local function movement(kind, part, key, moved, fields, legs_text, expires)
  local moved_text = joined(moved)
  local head = string.format('%s %s %s %s %d', kind, recorded_text, expires or '-', key, part)
  return {
    text = table.concat({ head, moved_text, fields, legs_text }, '\n'),
    kind = kind, part = part, key = key, recorded = recorded, expires = tonumber(expires),
    moved = moved, moved_text = moved_text, legs_text = legs_text,
  }
end

local function add(fresh)
  movements[fresh.part .. ' ' .. fresh.key] = fresh
  written[#written + 1] = fresh
end

-- What an account may give; nil means without bound. A floor beyond the limit counts as one at it.
local function giveable(account)
  if account.floor == '-' then return nil end
  local floor = math.max(math.min(tonumber(account.floor), BALANCE_MAX), -BALANCE_MAX)
  return math.max(account.posted - account.held - floor, 0)
end

-- The first gives first: as much of `amount` as each of `available` allows.
local function fill(available, first, count, amount, filled)
  for index = first + 1, first + count do
    filled[index] = math.min(available[index], amount)
    amount = amount - filled[index]
  end
end

-- As fill, the last first.
local function fill_back(available, first, count, amount, filled)
  for index = first + count, first + 1, -1 do
    filled[index] = math.min(available[index], amount)
    amount = amount - filled[index]
  end
end

local function total(amounts, first, count)
  local sum = 0
  for index = first + 1, first + count do sum = sum + amounts[index] end
  return sum
end
