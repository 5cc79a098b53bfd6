-- Fills a book with payments among its accounts, as lists of commands would have written them: of 100
-- movements 79 transfers, ten holds with their settles, and a reversal of the transfer before it.
-- Inputs: $1 how many movements; the accounts a0 to a9999 of the book bench, which have been funded.
-- Outputs: movements, their entries, and the accounts as these leave them. Locks: those rows.
with payment as (
  -- A settle moves what its hold does, and a reversal what the transfer before it did.
  select n, n - (n % 10 = 9 or n % 100 = 7)::integer as first,
    case when n % 100 = 7 then 'reverse' when n % 10 = 8 then 'hold' when n % 10 = 9 then 'settle'
      else 'transfer' end as kind
  from generate_series(1, $1) n
), planned as (
  select n, first, kind, 'a' || first * 7919::bigint % 10000 as giver,
    'a' || (first * 7919::bigint + 1 + first % 9999) % 10000 as taker, 1 + first % 1000 as amount
  from payment
), written as (
  insert into holdfast.movement (book, key, part, kind, legs, moved, of, recorded, seq, transaction)
  select 'bench', 'order:' || case kind when 'settle' then first else n end,
    (kind = 'settle')::integer, kind,
    json_build_array(json_build_object('from', json_build_array(giver), 'to', taker,
      'asset', 'EUR/2', 'amount', amount::text, 'atLeast', amount::text)),
    array[amount], case kind when 'reverse' then 'order:' || first end,
    date_trunc('milliseconds', now()), nextval('holdfast.movement_seq'),
    (select max(transaction) from holdfast.movement)
  from planned order by n
), line as (
  select n, place, kind, first, account, posted * amount as posted, held * amount as held
  from planned join lateral (values
    ('transfer', 1, giver, -1, 0), ('transfer', 2, taker, 1, 0), ('hold', 1, giver, 0, 1),
    ('settle', 1, giver, -1, -1), ('settle', 2, taker, 1, 0),
    ('reverse', 1, taker, -1, 0), ('reverse', 2, giver, 1, 0)
  ) lines (of, place, account, posted, held) on lines.of = kind
), running as (
  select line.*, a.version + row_number() over by_account as version,
    (a.posted + sum(line.posted) over by_account)::bigint as posted_after,
    (a.held + sum(line.held) over by_account)::bigint as held_after
  from line join holdfast.account a on a.book = 'bench' and a.id = line.account
  window by_account as (partition by a.id order by n, place)
), entered as (
  insert into holdfast.entry (book, account, version, key, part, posted, held, recorded)
  select 'bench', account, version, 'order:' || case kind when 'settle' then first else n end,
    (kind = 'settle')::integer, posted_after, held_after, date_trunc('milliseconds', now())
  from running
)
update holdfast.account a set posted = last.posted_after, held = last.held_after,
  version = last.version
from (
  select distinct on (account) account, posted_after, held_after, version
  from running order by account, version desc
) last
where a.book = 'bench' and a.id = last.account
