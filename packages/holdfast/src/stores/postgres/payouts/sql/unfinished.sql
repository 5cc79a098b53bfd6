-- Payouts with a cancel or a return that was begun and not finished.
-- Inputs: $1 book, $2 after this one, $3 how many. Outputs: one row each. Locks: none.
select {schema}.payout_json(p)::text as payout
from {schema}.payout p
where p.book = $1 and p.seq > $2::text::bigint
  and ((p.return_total is not null and p.status in ('success', 'reversed'))
    or (p.hold_end is not null and p.status in ('pending', 'approved')))
order by p.seq
limit $3::text::bigint
