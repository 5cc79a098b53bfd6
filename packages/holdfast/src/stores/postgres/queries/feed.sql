-- A page of the movements in the order in which they took effect.
-- Inputs: $1 book, $2 the snapshot up to which the reader has seen all, or null, $3 the snapshot
--   that it is reading up to, or null for now, $4 the sequence number after which it goes on,
--   $5 how many. Outputs: one row: the snapshot that was read up to, the last sequence number, and
--   of each column a JSON array, null where there is no movement: rows cost more than what is in
--   them. Locks: none.
-- A number is drawn while the accounts are locked, so of two movements on one account the later
-- has the higher; the snapshots make sure that one which commits late is not passed over. The
-- snapshot is a subquery of its own, or it would be taken again for each movement.
with reading as (
  select coalesce($3::text::pg_snapshot, {schema}.snapshot_v1()) as up_to
), page as (
  select *
  from {schema}.movement m
  where m.book = $1 and m.seq > $4::text::bigint
    and pg_visible_in_snapshot(m.transaction::text::xid8, (select up_to from reading))
    and ($2::text is null or m.transaction >= pg_snapshot_xmin($2::text::pg_snapshot)::text::bigint)
    and ($2::text is null
      or not pg_visible_in_snapshot(m.transaction::text::xid8, $2::text::pg_snapshot))
  order by m.seq
  limit $5::integer
)
select (select up_to::text from reading) as up_to, max(seq)::text as seq,
  json_agg(key)::text as key, json_agg(part)::text as part, json_agg(kind)::text as kind,
  json_agg(legs)::text as legs, json_agg(moved::text)::text as moved, json_agg(of)::text as of,
  json_agg(replaces)::text as replaces, json_agg(amounts::text)::text as amounts,
  json_agg(expires_in_ms)::text as expires_in_ms,
  json_agg({schema}.instant_text(effective))::text as effective,
  json_agg(may_owe)::text as may_owe, json_agg(meta)::text as meta,
  json_agg(reason)::text as reason, json_agg({schema}.instant_text(recorded))::text as recorded
from page
