-- Payouts by their ids and by their request keys.
-- Inputs: $1 book, $2 ids, $3 request keys, both as JSON lists. Outputs: one row each. Locks: none.
select {schema}.payout_json(p)::text as payout
from {schema}.payout p
where p.book = $1 and p.id in (
  select x.id from jsonb_array_elements_text($2::text::jsonb) as x(id)
  union
  select k.id from {schema}.payout k
  where k.book = $1 and k.request_key in (
    select x.key from jsonb_array_elements_text($3::text::jsonb) as x(key)
  )
)
