-- Leases payouts that nobody holds. The status stays: moving is what move.sql does.
-- Inputs: $1 book, $2 statuses, $3 gateways, $4 ids (null: all), each a JSON list, $5 batch (null:
--   all), $6 after this one, $7 how many, $8 the lease in milliseconds.
-- Outputs: one row each, by order of request; one token for all of them, larger than any before.
-- Locks: the rows, skipping those that are locked: somebody else is at them.
with lease as materialized (
  select nextval('{schema}.payout_lease_seq') as token
), free as materialized (
  select p.id from {schema}.payout p
  where p.book = $1
    -- What is leased at all, for the sake of the index payout_open.
    and p.status in ('requested', 'approved', 'processing', 'unknown')
    and p.status in (select x.status from jsonb_array_elements_text($2::text::jsonb) as x(status))
    and p.gateway in (select x.name from jsonb_array_elements_text($3::text::jsonb) as x(name))
    and ($4::text is null
      or p.id in (select x.id from jsonb_array_elements_text($4::text::jsonb) as x(id)))
    and ($5::text is null or p.batch = $5)
    and p.seq > $6::text::bigint
    -- An approved one is nobody's until it is moved on: a worker that dies before that holds up none.
    and (p.lease_until is null or p.lease_until <= clock_timestamp() or p.status = 'approved')
    and not (p.status = 'approved' and p.hold_end is not null)
  order by p.seq
  limit $7::text::bigint
  for update of p skip locked
), leased as (
  update {schema}.payout p
  set lease_token = lease.token,
    lease_until = clock_timestamp() + $8::text::float8 * interval '1 millisecond',
    -- Whoever had it before may have a hold on its way, however long ago that was.
    late_hold_due = case when p.status = 'requested' then clock_timestamp() else p.late_hold_due end
  from free, lease
  where p.book = $1 and p.id = free.id
  returning p.seq, {schema}.payout_json(p)::text as payout, p.lease_token, p.lease_until
)
select payout, lease_token::text as token, {schema}.instant_text(statement_timestamp()) as taken_at,
  {schema}.instant_text(lease_until) as until
from leased
order by seq
