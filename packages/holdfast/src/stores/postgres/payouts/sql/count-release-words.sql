-- How many people have said that the hold of a payout may be released, since its last attempt.
-- Inputs: $1 book, $2 payout. Outputs: one row. Locks: none.
select count(distinct w.person)::integer as people
from {schema}.payout_release_word w
where w.book = $1 and w.payout = $2 and w.said > all (
  select a.started from {schema}.payout_attempt a
  where a.book = $1 and a.payout = $2 and a.answer is distinct from 'not-sent'
)
