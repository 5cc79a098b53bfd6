-- Moves payouts from one status to another: the one statement that changes a status (I9).
-- Inputs: $1 book, $2 the moves as JSON. Each names the status and the end of the hold that the row
--   must have, and the token of its lease where the move is one worker's alone.
-- Outputs: one row for each that moved. Locks: the rows, by id, so that two lists cannot wait for
--   each other.
with moves as (
  select * from jsonb_to_recordset($2::text::jsonb) as x(
    id text, "from" text, "to" text, "holdEnd" text, token bigint, reason text,
    "keepLease" boolean, reference text, returned bigint
  )
), locked as materialized (
  select p.id from {schema}.payout p join moves m on p.id = m.id
  where p.book = $1
  order by p.id
  for update of p
)
update {schema}.payout p
set status = m."to",
  reason = m.reason,
  reference = coalesce(m.reference, p.reference),
  returned = coalesce(m.returned, p.returned),
  return_total = case when m.returned is null then p.return_total end,
  lease_until = case when m."keepLease" then p.lease_until end,
  updated = clock_timestamp()
from moves m join locked on locked.id = m.id
where p.book = $1 and p.id = m.id
  and p.status = m."from"
  and p.hold_end is not distinct from m."holdEnd"
  and (m.token is null or p.lease_token = m.token)
  and (m.returned is null or p.return_total = m.returned)
returning {schema}.payout_json(p)::text as payout
