-- The attempts to send a payout, by number.
-- Inputs: $1 book, $2 payout. Outputs: one row each. Locks: none.
select number, {schema}.instant_text(started) as started_at, {schema}.instant_text(send_by) as send_by,
  answer, reason, reference
from {schema}.payout_attempt
where book = $1 and payout = $2
order by number
