-- The tables of payouts. {schema} is replaced by the name of the schema.
--
-- Inputs: none. Outputs: tables payout, payee, payout_attempt, payout_release_word; the sequence of
--   lease tokens; the function payout_json.
-- Locks: none beyond those of creating what is new.

create sequence {schema}.payout_lease_seq as bigint;

create table {schema}.payout (
  book text collate "C" not null,
  id text collate "C" not null check (id ~ '^[A-Z0-9]{15}$'),
  seq bigint not null generated always as identity,
  request_key text collate "C" not null,
  batch text collate "C",
  account text collate "C" not null,
  gateway text collate "C" not null,
  asset text collate "C" not null,
  amount bigint not null check (amount > 0),
  status text collate "C" not null default 'requested' check (status in ('requested', 'refused',
    'pending', 'approved', 'cancelled', 'processing', 'unknown', 'success', 'failed', 'reversed')),
  reason text,
  retry_of text collate "C",
  reference text,
  returned bigint not null default 0,
  hold_end text collate "C" check (hold_end in ('settle', 'release')),
  return_total bigint,
  lease_token bigint not null default 0,
  lease_until timestamptz,
  created timestamptz not null default clock_timestamp(),
  updated timestamptz not null default clock_timestamp(),
  primary key (book, id),
  constraint payout_returned_within_amount check (returned between 0 and amount),
  constraint payout_return_grows check (return_total > returned and return_total <= amount),
  constraint payout_ended_with_its_hold check (case
    when status in ('success', 'failed', 'reversed', 'cancelled') then hold_end is not null
    when status in ('requested', 'refused') then hold_end is null
    else true end)
);

comment on column {schema}.payout.hold_end is
  'How the hold ends: committed before the ledger is told, and never changed.';
comment on column {schema}.payout.return_total is
  'What has come back in total, announced before the ledger is told; null again when it is done.';

create unique index payout_request on {schema}.payout (book, request_key);
create unique index payout_feed on {schema}.payout (book, seq);
create index payout_by_batch on {schema}.payout (book, batch, seq) where batch is not null;
create index payout_open on {schema}.payout (book, seq)
  where status in ('requested', 'approved', 'processing', 'unknown');
-- At most one payout at a time takes the place of a failed one.
create unique index payout_retry on {schema}.payout (book, retry_of)
  where retry_of is not null and status not in ('refused', 'cancelled');
create index payout_unfinished on {schema}.payout (book, seq)
  where return_total is not null or (hold_end is not null and status in ('pending', 'approved'));

create table {schema}.payee (
  book text collate "C" not null,
  payout text collate "C" not null,
  name text not null,
  destination text not null,
  primary key (book, payout)
);

comment on table {schema}.payee is
  'Personal data, apart from everything else so that it can be erased.';

create table {schema}.payout_attempt (
  book text collate "C" not null,
  payout text collate "C" not null,
  number integer not null check (number > 0),
  started timestamptz not null,
  send_by timestamptz not null,
  answer text collate "C" check (answer in ('paid', 'refused', 'unknown', 'not-sent')),
  reason text,
  reference text,
  answered timestamptz,
  primary key (book, payout, number)
);

create table {schema}.payout_release_word (
  book text collate "C" not null,
  payout text collate "C" not null,
  person text collate "C" not null,
  said timestamptz not null,
  reason text not null,
  primary key (book, payout, person, said)
);

comment on table {schema}.payout_release_word is
  'Who said that the hold of an unknown payout may be released, when, and why.';

-- A payout as the port has it, amounts as text. The payee is read as the statement's snapshot has
-- it: a statement that writes it down itself does not see it here.
create function {schema}.payout_json(p {schema}.payout) returns json language sql stable as $$
  select json_build_object('id', p.id, 'book', p.book, 'requestKey', p.request_key,
    'batch', p.batch, 'account', p.account, 'gateway', p.gateway, 'asset', p.asset,
    'amount', p.amount::text, 'status', p.status, 'reason', p.reason, 'retryOf', p.retry_of,
    'reference', p.reference, 'returned', p.returned::text, 'holdEnd', p.hold_end,
    'returnTotal', p.return_total::text, 'cursor', p.seq::text,
    'createdAt', {schema}.instant_text(p.created), 'updatedAt', {schema}.instant_text(p.updated),
    'payeeName', (select e.name from {schema}.payee e where e.book = p.book and e.payout = p.id),
    'destination',
    (select e.destination from {schema}.payee e where e.book = p.book and e.payout = p.id))
$$;
