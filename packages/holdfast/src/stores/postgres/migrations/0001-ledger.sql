-- The ledger's tables. {schema} is replaced by the name of the schema.
--
-- Inputs: none. Outputs: tables account, movement, entry; the feed's sequence.
-- Locks: none beyond those of creating what is new.

create table {schema}.account (
  book text collate "C" not null,
  id text collate "C" not null,
  asset text collate "C" not null,
  floor bigint check (floor > -9223372036854775808),
  posted bigint not null default 0 check (posted > -9223372036854775808),
  held bigint not null default 0 check (held >= 0),
  version bigint not null default 0 check (version >= 0),
  closed boolean not null default false,
  recorded timestamptz not null,
  primary key (book, id),
  constraint account_available_within_limit
    check (posted::numeric - held between -9223372036854775807 and 9223372036854775807)
) with (fillfactor = 50);

comment on table {schema}.account is
  'The running balance of each account. Only apply_v1 writes it; fillfactor leaves room for HOT updates.';

create sequence {schema}.movement_seq as bigint;

create table {schema}.movement (
  book text collate "C" not null,
  key text collate "C" not null,
  part smallint not null check (part in (0, 1)),
  kind text collate "C" not null check (kind in ('transfer', 'hold', 'settle', 'release', 'reverse')),
  legs json not null,
  moved bigint[] not null,
  of text collate "C",
  replaces text collate "C",
  amounts bigint[],
  expires_in_ms bigint,
  effective timestamptz,
  may_owe boolean not null default false,
  meta json,
  reason text,
  recorded timestamptz not null,
  seq bigint not null,
  transaction bigint not null,
  primary key (book, key, part),
  constraint movement_end_is_part_1 check ((part = 1) = (kind in ('settle', 'release')))
);

comment on column {schema}.movement.moved is
  'What moved of each source, in the order of the legs and of the sources in them.';
comment on column {schema}.movement.transaction is
  'pg_current_xact_id of the list, so that the feed can tell what a reader has not seen yet.';

create unique index movement_feed on {schema}.movement (book, seq);
create index movement_transaction on {schema}.movement using brin (transaction);
create index movement_reversal on {schema}.movement (book, of) where of is not null;
create index movement_expiring on {schema}.movement (book, recorded)
  where expires_in_ms is not null;

create table {schema}.entry (
  book text collate "C" not null,
  account text collate "C" not null,
  version bigint not null check (version > 0),
  key text collate "C" not null,
  part smallint not null,
  posted bigint not null check (posted > -9223372036854775808),
  held bigint not null check (held >= 0),
  recorded timestamptz not null,
  primary key (book, account, version)
);

-- An instant as ISO 8601 in UTC, as the API has it.
create function {schema}.instant_text(instant timestamptz) returns text language sql stable as $$
  select to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- A movement as the API has it, amounts as text.
create function {schema}.movement_json(m {schema}.movement) returns json language sql stable as $$
  select json_build_object('book', m.book, 'key', m.key, 'part', m.part, 'kind', m.kind,
    'legs', m.legs, 'moved', m.moved::text[], 'of', m.of, 'replaces', m.replaces,
    'amounts', m.amounts::text[], 'expiresInMs', m.expires_in_ms,
    'effective', {schema}.instant_text(m.effective), 'mayOwe', m.may_owe, 'meta', m.meta,
    'reason', m.reason, 'recorded', {schema}.instant_text(m.recorded))
$$;

create function {schema}.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'a % never changes and never disappears', tg_table_name
    using errcode = 'HF004';
end $$;

create trigger movement_is_immutable before update or delete or truncate on {schema}.movement
  for each statement execute function {schema}.refuse_change();
create trigger entry_is_immutable before update or delete or truncate on {schema}.entry
  for each statement execute function {schema}.refuse_change();
