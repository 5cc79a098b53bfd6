-- A page of the movements in the order in which they took effect.
-- Inputs: $1 book, $2 the snapshot up to which the reader has seen all, or null, $3 the snapshot
--   that it is reading up to, or null for now, $4 the sequence number after which it goes on,
--   $5 how many. Outputs: rows with the snapshot that was read up to. Locks: none.
-- A number is drawn while the accounts are locked, so of two movements on one account the later
-- has the higher; the snapshots make sure that one which commits late is not passed over.
with reading as (
  select coalesce($3::text::pg_snapshot, {schema}.snapshot_v1()) as up_to
)
select reading.up_to::text as up_to, page.seq::text, page.movement
from reading left join lateral (
  select m.seq, {schema}.movement_json(m)::text as movement
  from {schema}.movement m
  where m.book = $1 and m.seq > $4::text::bigint
    and pg_visible_in_snapshot(m.transaction::text::xid8, reading.up_to)
    and ($2::text is null or m.transaction >= pg_snapshot_xmin($2::text::pg_snapshot)::text::bigint)
    and ($2::text is null
      or not pg_visible_in_snapshot(m.transaction::text::xid8, $2::text::pg_snapshot))
  order by m.seq
  limit $5::integer
) page on true
order by page.seq
