-- What payouts have been matched with so far.
-- Inputs: $1 book, $2 payouts as a JSON list. Outputs: a row for each that a line pays or returns.
-- Locks: none; the bank's row is held, so that nothing is added.
select payout, bool_or(role = 'pays') as paid,
  coalesce(sum(books) filter (where role = 'returns'), 0)::text as returned
from {schema}.statement_allocation
where book = $1 and role is not null
  and payout in (select x.id from jsonb_array_elements_text($2::text::jsonb) as x(id))
group by payout
