-- Announces what of a payout has come back in total, before the ledger is told.
-- Inputs: $1 book, $2 id, $3 what the row must say has come back, $4 the new total.
-- Outputs: one row, or none where the row says otherwise or a return is under way. Locks: the row.
update {schema}.payout p
set return_total = $4::text::bigint, updated = clock_timestamp()
where p.book = $1 and p.id = $2
  and p.status in ('success', 'reversed')
  and p.returned = $3::text::bigint
  and p.return_total is null
returning {schema}.payout_json(p)::text as payout
