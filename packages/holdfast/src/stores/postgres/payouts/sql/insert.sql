-- Writes payouts down as requested, and leases them.
-- Inputs: $1 book, $2 the payouts as JSON, $3 the lease in milliseconds.
-- Outputs: one row for each that is new, without its payee: those are left out whose id, request
--   key or retry_of is taken, and those whose retry_of is no failed payout, or takes the place of one
--   that is no longer failed.
-- Locks: first every payout whose place is to be taken, by id, like move.sql; then the new rows, by
--   request key. So two lists cannot wait for each other: the index payout_retry makes nobody wait,
--   since whoever would meet another one there has waited for the same payout before.
with given as (
  select * from jsonb_to_recordset($2::text::jsonb) as x(
    id text, "requestKey" text, batch text, account text, gateway text, asset text, amount bigint,
    "payeeName" text, destination text, "retryOf" text
  )
), original as materialized (
  select g."retryOf" as named, g."retryOf" as id from given g where g."retryOf" is not null
  union
  select g."retryOf", o.id from given g, {schema}.payout_originals($1, g."retryOf") as o
  where g."retryOf" is not null
), locked as materialized (
  select p.id, p.status from {schema}.payout p
  where p.book = $1 and p.id in (select o.id from original o)
  order by p.id
  for update of p
), failed as materialized (
  -- An aggregate, so that all of them are locked before the first row is written.
  select coalesce(array_agg(l.id), '{}') as ids from locked l where l.status = 'failed'
), lease as materialized (
  select nextval('{schema}.payout_lease_seq') as token
), fresh as (
  insert into {schema}.payout as p (book, id, request_key, batch, account, gateway, asset, amount,
    retry_of, lease_token, lease_until)
  select $1, g.id, g."requestKey", g.batch, g.account, g.gateway, g.asset, g.amount, g."retryOf",
    lease.token, clock_timestamp() + $3::text::float8 * interval '1 millisecond'
  from given g, lease, failed
  where not exists (
    select from original o where o.named = g."retryOf" and o.id <> all(failed.ids)
  )
  order by g."requestKey"
  on conflict do nothing
  returning p.id, {schema}.payout_json(p)::text as payout, p.lease_token, p.lease_until
), payees as (
  insert into {schema}.payee (book, payout, name, destination)
  select $1, g.id, g."payeeName", g.destination from given g join fresh using (id)
)
select payout, lease_token::text as token, {schema}.instant_text(statement_timestamp()) as taken_at,
  {schema}.instant_text(lease_until) as until
from fresh
