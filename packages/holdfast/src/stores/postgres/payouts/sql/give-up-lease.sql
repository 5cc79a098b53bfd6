-- Ends a lease, and says why the payout stays where it is.
-- Inputs: $1 book, $2 id, $3 the token of the lease, $4 the reason.
-- Outputs: one row, or none where it is no longer the lease of this token. Locks: the row.
update {schema}.payout
set lease_until = null, reason = $4, updated = clock_timestamp()
where book = $1 and id = $2 and lease_token = $3::text::bigint and hold_end is null
returning id
