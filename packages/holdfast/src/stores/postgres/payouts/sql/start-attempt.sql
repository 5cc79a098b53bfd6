-- Commits an attempt before the gateway is called (I7).
-- Inputs: $1 book, $2 payout, $3 the token of the lease, $4 within how many milliseconds it is sent.
-- Outputs: the attempt, or no row where the lease is over, the end of the hold is decided (what is
--   released is never sent again), or a payout whose place it takes is no longer failed: that was
--   paid after all, and this one would pay it twice.
-- Locks: the payout's row, so that attempts are numbered in order, and those whose place it takes, so
--   that none of them is found to be paid between the look and the commit; by id, like move.sql.
with locked as materialized (
  select p.id, p.status, p.lease_token, p.lease_until, p.hold_end from {schema}.payout p
  where p.book = $1
    and p.id in (select $2 union all select o.id from {schema}.payout_originals($1, $2) as o)
  order by p.id
  for update of p
), held as materialized (
  select l.id from locked l
  where l.id = $2
    and l.status in ('processing', 'unknown')
    and l.lease_token = $3::text::bigint
    and l.lease_until > clock_timestamp()
    and l.hold_end is null
    and not exists (select from locked o where o.id <> $2 and o.status <> 'failed')
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
