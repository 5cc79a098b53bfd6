-- Commits an attempt before the gateway is called (I7).
-- Inputs: $1 book, $2 payout, $3 the token of the lease, $4 within how many milliseconds it is sent.
-- Outputs: the attempt, or no row where the lease is over or the end of the hold is decided: what is
--   released is never sent again. Locks: the payout's row, so that attempts are numbered in order.
with held as materialized (
  select p.id from {schema}.payout p
  where p.book = $1 and p.id = $2
    and p.status in ('processing', 'unknown')
    and p.lease_token = $3::text::bigint
    and p.lease_until > clock_timestamp()
    and p.hold_end is null
  for update of p
), moment as materialized (
  select held.id, clock_timestamp() as now from held
)
insert into {schema}.payout_attempt as a (book, payout, number, started, send_by)
select $1, moment.id,
  1 + (select count(*) from {schema}.payout_attempt b where b.book = $1 and b.payout = $2),
  moment.now, moment.now + $4::text::float8 * interval '1 millisecond'
from moment
returning a.number, {schema}.instant_text(a.started) as started_at,
  {schema}.instant_text(a.send_by) as send_by
