-- A page of payouts in the order in which they were requested.
-- Inputs: $1 book, $2 statuses as a JSON list, $3 batch, $4 account, $5 gateway (null: all),
--   $6 after this one, $7 how many. Outputs: one row each. Locks: none.
select {schema}.payout_json(p)::text as payout
from {schema}.payout p
where p.book = $1
  and ($2::text is null or p.status in (
    select x.status from jsonb_array_elements_text($2::text::jsonb) as x(status)
  ))
  and ($3::text is null or p.batch = $3)
  and ($4::text is null or p.account = $4)
  and ($5::text is null or p.gateway = $5)
  and p.seq > $6::text::bigint
order by p.seq
limit $7::text::bigint
