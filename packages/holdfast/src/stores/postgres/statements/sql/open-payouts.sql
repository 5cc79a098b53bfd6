-- What is known of the payouts of a gateway that were sent and have no final answer.
-- Inputs: $1 book, $2 gateway. Outputs: one row. Locks: none.
with open as (
  select id, created from {schema}.payout
  where book = $1 and gateway = $2 and status in ('processing', 'unknown')
)
select {schema}.instant_text(min(created)) as since, exists (
    select from {schema}.statement_allocation line join open on line.payout = open.id
    where line.book = $1
  ) or exists (
    select from {schema}.finding, unnest(named) as payout(id) join open on payout.id = open.id
    where finding.book = $1
  ) as named
from open
