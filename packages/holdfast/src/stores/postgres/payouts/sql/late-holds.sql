-- Takes up refused payouts whose hold may have come late, and writes down when to look again: after as
-- long as they have been refused by now. So each is looked for ever more seldom, and never given up.
-- Inputs: $1 book, $2 how many.
-- Outputs: the ids. Not those whose key somebody else has used: the hold under it is not ours.
-- Locks: the rows, skipping those that are locked: somebody else is at them.
with due as materialized (
  select p.id from {schema}.payout p
  where p.book = $1
    and p.status = 'refused'
    and p.late_hold_due <= statement_timestamp()
    and p.reason is distinct from 'KEY_REUSED'
  order by p.late_hold_due
  limit $2::text::bigint
  for update of p skip locked
)
update {schema}.payout p
set late_hold_due = clock_timestamp() + (clock_timestamp() - p.updated)
from due
where p.book = $1 and p.id = due.id
returning p.id
