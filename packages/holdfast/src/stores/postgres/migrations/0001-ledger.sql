-- The ledger's tables. {schema} is replaced by the name of the schema.
--
-- Inputs: none. Outputs: tables account, movement, entry, lineage; the feed's sequence.
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
  seq bigint not null check (seq > 0),
  transaction bigint not null,
  primary key (book, key, part),
  constraint movement_end_is_part_1 check ((part = 1) = (kind in ('settle', 'release')))
);

comment on column {schema}.movement.moved is
  'What moved of each source, in the order of the legs and of the sources in them.';
comment on column {schema}.movement.transaction is
  'transaction_id_v1 of the list, so that the feed can tell what a reader has not seen yet.';

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
  part smallint not null check (part in (0, 1)),
  posted bigint not null check (posted > -9223372036854775808),
  held bigint not null check (held >= 0),
  recorded timestamptz not null,
  primary key (book, account, version)
);

-- Transaction ids start again on another server (a logical restore), and some come again after a
-- failover or a restore to an earlier time, which begin a timeline. So each such line of history has
-- a number, which stands above the ids of its transactions: these grow whatever happens to the data.
create table {schema}.lineage (
  number integer not null check (number between 0 and 32766),
  line text collate "C" not null
);

comment on table {schema}.lineage is
  'The lines of history that movements were written on: a server and a timeline of it. All lists that
  are under way when a line begins write its row, so that none of them waits for another.';

-- The line that this server writes now. Raises on a standby, where the snapshots are not exact.
create function {schema}.current_line() returns text language sql volatile as $$
  select system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
  from pg_control_system()
$$;

-- The id of this transaction, with the number of the line above its 48 bits.
create function {schema}.transaction_id_v1() returns bigint language plpgsql volatile as $$
declare
  here text := {schema}.current_line();
  known {schema}.lineage;
begin
  select * into known from {schema}.lineage order by number desc limit 1;
  if known.line is distinct from here then
    known := row(coalesce(known.number + 1, 0), here);
    insert into {schema}.lineage values (known.number, known.line);
  end if;
  return (known.number::bigint << 48) + pg_current_xact_id()::text::bigint;
end $$;

-- The snapshot of the statement, its ids as transaction_id_v1 gives them. Stable: a volatile function
-- would take a snapshot of its own, later than that by which the rows are read.
create function {schema}.snapshot_v1() returns pg_snapshot language sql stable as $$
  with now as (select pg_current_snapshot() as snapshot), base as (
    select (coalesce(number + (line <> {schema}.current_line())::integer, 0)::bigint << 48) as id
    from (select) one left join (
      select number, line from {schema}.lineage order by number desc limit 1
    ) known on true
  )
  select ((base.id + pg_snapshot_xmin(snapshot)::text::bigint) || ':'
    || (base.id + pg_snapshot_xmax(snapshot)::text::bigint) || ':'
    || coalesce((
      select string_agg((base.id + running::text::bigint)::text, ',' order by running)
      from pg_snapshot_xip(snapshot) running), ''))::pg_snapshot
  from now, base
$$;

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
