-- Payouts of a gateway by their ids.
-- Inputs: $1 book, $2 gateway, $3 ids as a JSON list. Outputs: one row each. Locks: none.
select {schema}.payout_json(p)::text as payout
from {schema}.payout p
where p.book = $1 and p.gateway = $2
  and p.id in (select x.id from jsonb_array_elements_text($3::text::jsonb) as x(id))
