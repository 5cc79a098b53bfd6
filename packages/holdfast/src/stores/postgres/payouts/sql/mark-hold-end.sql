-- Writes down how holds end, before the ledger is told. A mark is made once, and stays.
-- Inputs: $1 book, $2 the marks as JSON, with the statuses that the row may have, and the token of
--   its lease where the decision is one worker's alone.
-- Outputs: one row for each that is marked now. Locks: the rows, by id.
with marks as (
  select * from jsonb_to_recordset($2::text::jsonb) as x(
    id text, "from" text[], "holdEnd" text, token bigint, reason text, reference text,
    "returnTotal" bigint
  )
), locked as materialized (
  select p.id from {schema}.payout p join marks m on p.id = m.id
  where p.book = $1
  order by p.id
  for update of p
)
update {schema}.payout p
set hold_end = m."holdEnd",
  return_total = m."returnTotal",
  reason = m.reason,
  reference = coalesce(m.reference, p.reference),
  updated = clock_timestamp()
from marks m join locked on locked.id = m.id
where p.book = $1 and p.id = m.id
  and p.status = any(m."from")
  and p.hold_end is null
  and (m.token is null or p.lease_token = m.token)
returning {schema}.payout_json(p)::text as payout
