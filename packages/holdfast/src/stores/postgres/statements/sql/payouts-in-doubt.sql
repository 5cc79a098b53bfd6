-- Payouts of a gateway that were sent, have no final answer, and may be what a line is about.
-- Inputs: $1 book, $2 gateway, $3 bank, $4 asset. Outputs: their ids. Locks: none.
-- In doubt is one that a line names, however it was matched, and one whose amount, or that of its
-- batch, a line has moved that nothing explains, since it was requested. The statements say nothing of
-- another asset. A bank's day may last until noon of the next in UTC.
with open as (
  select id, batch, asset, amount, created from {schema}.payout
  where book = $1 and gateway = $2 and status in ('processing', 'unknown')
), batches as (
  select batch, sum(amount) as sent, sum(amount) filter (where status <> 'failed') as alive,
    sum(amount) filter (where status in ('processing', 'unknown')) as open,
    min(created) filter (where status in ('processing', 'unknown')) as created
  from {schema}.payout
  where book = $1 and gateway = $2 and batch in (select batch from open)
    and status in ('processing', 'unknown', 'success', 'failed', 'reversed')
  group by batch
), amounts as (
  select id, amount, created from open
  union
  select open.id, unnest(array[sent, alive, batches.open]), batches.created
  from open join batches using (batch)
)
select id from {schema}.statement_allocation line join open on line.payout = open.id
where line.book = $1
union
select open.id from {schema}.finding, unnest(named) as payout(id) join open on payout.id = open.id
where finding.book = $1
union
select id from {schema}.statement_clue clue join open on clue.payout = open.id
where clue.book = $1
union
select amounts.id
from amounts
  join {schema}.statement_clue clue on clue.book = $1 and clue.amount = amounts.amount
  join {schema}.statement_line line on line.book = $1 and line.intake = clue.intake
    and line.statement = clue.statement and line.number = clue.line
  join {schema}.statement on statement.book = $1 and statement.intake = clue.intake
    and statement.number = clue.statement and statement.bank = $3
  join {schema}.statement_intake on statement_intake.book = $1
    and statement_intake.intake = clue.intake
where case when booked is null then accepted
  else (booked::timestamp + interval '36 hours') at time zone 'UTC' end >= amounts.created
union
select id from open where asset <> $4
