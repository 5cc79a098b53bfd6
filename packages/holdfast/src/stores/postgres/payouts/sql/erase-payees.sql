-- Forgets who was paid, for payouts that have come to an end and need it no more.
-- Inputs: $1 book, $2 ids as a JSON list. Outputs: the ids of those that were erased.
-- Locks: the rows of the payees.
delete from {schema}.payee e
using {schema}.payout p
where e.book = $1
  and e.payout in (select x.id from jsonb_array_elements_text($2::text::jsonb) as x(id))
  and p.book = e.book and p.id = e.payout
  and p.status in ('refused', 'cancelled', 'success', 'failed', 'reversed')
returning e.payout
