-- Which payouts take the place of one that is no longer failed: it was paid after its release.
-- Inputs: $1 book, $2 ids as a JSON list. Outputs: one row for each of those, with the payout whose
--   place it takes, however far back, and where that stands. Locks: none.
select distinct on (p.id) p.id, o.id as original, o.status
from {schema}.payout p
  cross join lateral {schema}.payout_originals($1, p.id) as x
  join {schema}.payout o on o.book = $1 and o.id = x.id
where p.book = $1
  and p.id in (select i.id from jsonb_array_elements_text($2::text::jsonb) as i(id))
  and p.retry_of is not null
  and o.status <> 'failed'
order by p.id, o.seq
