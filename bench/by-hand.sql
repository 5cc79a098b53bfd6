-- What a team writes by hand, and what the published SQL ledgers do: one call of a function a
-- transfer, in a transaction of its own.
--
-- Inputs: none. Outputs: schema by_hand with tables account, transfer and entry, and function pay.
-- Locks: pay locks both accounts, in the order of their ids.
create schema by_hand;

create table by_hand.account (
  id text primary key,
  balance bigint not null,
  version bigint not null default 0
) with (fillfactor = 50);

create table by_hand.transfer (
  id bigint primary key generated always as identity,
  key text not null unique,
  giver text not null,
  taker text not null,
  amount bigint not null check (amount > 0),
  created timestamptz not null default clock_timestamp()
);

create table by_hand.entry (
  account text not null,
  version bigint not null,
  transfer bigint not null,
  amount bigint not null,
  balance bigint not null,
  created timestamptz not null default clock_timestamp(),
  primary key (account, version)
);

create function by_hand.pay(p_key text, p_giver text, p_taker text, p_amount bigint)
returns text language plpgsql as $$
declare
  transfer_id bigint;
  giver by_hand.account;
  taker by_hand.account;
begin
  perform 1 from by_hand.account where id in (p_giver, p_taker) order by id for update;
  if exists (select from by_hand.transfer where key = p_key) then return 'replayed'; end if;
  if (select balance from by_hand.account where id = p_giver) < p_amount then return 'refused'; end if;
  insert into by_hand.transfer (key, giver, taker, amount)
  values (p_key, p_giver, p_taker, p_amount) returning id into transfer_id;
  update by_hand.account set balance = balance - p_amount, version = version + 1
  where id = p_giver returning * into giver;
  update by_hand.account set balance = balance + p_amount, version = version + 1
  where id = p_taker returning * into taker;
  insert into by_hand.entry (account, version, transfer, amount, balance) values
    (giver.id, giver.version, transfer_id, -p_amount, giver.balance),
    (taker.id, taker.version, transfer_id, p_amount, taker.balance);
  return 'paid';
end $$;
