-- What is known of the payouts of a gateway that were sent and have no final answer.
-- Inputs: $1 book, $2 gateway, $3 bank, $4 asset. Outputs: one row. Locks: none.
-- In doubt is whatever a line may be about: one that names it, however it was matched, and one that
-- nothing explains and that moved the amount of one of them, or of its batch, since it was requested.
-- The statements say nothing of another asset. A bank's day may last until noon of the next in UTC.
with open as (
  select id, batch, asset, amount, created from {schema}.payout
  where book = $1 and gateway = $2 and status in ('processing', 'unknown')
), batches as (
  select sum(amount) as sent, sum(amount) filter (where status <> 'failed') as alive,
    sum(amount) filter (where status in ('processing', 'unknown')) as open,
    min(created) filter (where status in ('processing', 'unknown')) as created
  from {schema}.payout
  where book = $1 and gateway = $2 and batch in (select batch from open)
    and status in ('processing', 'unknown', 'success', 'failed', 'reversed')
  group by batch
), amounts as (
  select amount, created from open
  union select unnest(array[sent, alive, batches.open]), created from batches
)
select {schema}.instant_text(min(created)) as since, exists (
    select from {schema}.statement_allocation line join open on line.payout = open.id
    where line.book = $1
  ) or exists (
    select from {schema}.finding, unnest(named) as payout(id) join open on payout.id = open.id
    where finding.book = $1
  ) or exists (
    select from {schema}.statement_clue clue join open on clue.payout = open.id
    where clue.book = $1
  ) or exists (
    select from amounts
      join {schema}.statement_clue clue on clue.book = $1 and clue.amount = amounts.amount
      join {schema}.statement_line line on line.book = $1 and line.intake = clue.intake
        and line.statement = clue.statement and line.number = clue.line
      join {schema}.statement on statement.book = $1 and statement.intake = clue.intake
        and statement.number = clue.statement and statement.bank = $3
      join {schema}.statement_intake on statement_intake.book = $1
        and statement_intake.intake = clue.intake
    where case when booked is null then accepted
      else (booked::timestamp + interval '36 hours') at time zone 'UTC' end >= amounts.created
  ) or exists (select from open where asset <> $4) as in_doubt
from open
