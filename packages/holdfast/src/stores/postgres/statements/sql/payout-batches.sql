-- What was sent of the batches that have one of some names, or else of those that, without what
-- failed, have one of some sums, and a count.
-- Inputs: $1 book, $2 gateway, $3 names and $4 sums as JSON lists, $5 the count or null.
-- Outputs: one row a payout, batch by batch. Locks: none.
with named as (
  select distinct p.batch from {schema}.payout p
  where p.book = $1 and p.gateway = $2
    and p.batch in (select x.name from jsonb_array_elements_text($3::text::jsonb) as x(name))
), fitting as (
  select p.batch from {schema}.payout p
  where p.book = $1 and p.gateway = $2 and p.batch is not null
    and p.status in ('processing', 'unknown', 'success', 'reversed')
    and not exists (select from named)
  group by p.batch
  having count(*) = $5::integer
    and sum(p.amount)::text in (select x.s from jsonb_array_elements_text($4::text::jsonb) as x(s))
)
select p.batch, {schema}.payout_json(p)::text as payout
from {schema}.payout p
where p.book = $1 and p.gateway = $2
  and p.status in ('processing', 'unknown', 'success', 'failed', 'reversed')
  and p.batch in (select batch from named union select batch from fitting)
order by p.batch, p.seq
