-- How many payouts of a gateway stand how, and whether a line has paid them.
-- Inputs: $1 book, $2 gateway, $3 asset. Outputs: rows. Locks: none.
select p.status, line.payout is not null as on_statement, count(*)::integer as count,
  sum(p.amount)::text as sum
from {schema}.payout p
  left join {schema}.statement_allocation line
    on line.book = $1 and line.payout = p.id and line.role = 'pays'
where p.book = $1 and p.gateway = $2 and p.asset = $3
group by 1, 2
order by 1, 2
