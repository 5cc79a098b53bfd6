-- Payouts that were paid before an instant and stand on no statement: no line pays them, and none
-- that may was left aside under a finding.
-- Inputs: $1 book, $2 gateway, $3 asset, $4 the instant, $5 the payout that they lie after, $6 how many.
-- Outputs: rows, by id. Locks: none.
select {schema}.payout_json(p)::text as payout
from {schema}.payout p
where p.book = $1 and p.gateway = $2 and p.asset = $3 and p.status in ('success', 'reversed')
  and p.updated < $4::text::timestamptz and p.id > $5
  and not exists (
    select from {schema}.statement_allocation line
    where line.book = $1 and line.payout = p.id and line.role = 'pays'
  )
  and p.id not in (
    select unnest(named) from {schema}.finding
    where finding.book = $1 and bank < 0
      and kind in ('AMBIGUOUS', 'AMOUNT_DIFFERS', 'STATUS_DIFFERS', 'PAID_MORE_THAN_ONCE')
  )
order by p.id
limit $6::integer
