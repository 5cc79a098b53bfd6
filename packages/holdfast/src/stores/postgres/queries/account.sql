-- An account now, or as it stood at a recorded time.
-- Inputs: $1 book, $2 account, $3 the time or null. Outputs: one row, or none. Locks: none.
-- Versions have no gap and their times never go back, so the entry is found by bisection.
with recursive known as (
  select book, id, asset, floor, posted, held, version, closed from {schema}.account
  where book = $1 and id = $2
), bisection(low, high) as (
  select 0::bigint, version from known where $3::text is not null
  union all
  select case when before then middle else low end, case when before then high else middle - 1 end
  from (
    select low, high, (low + high + 1) / 2 as middle, (
      select entry.recorded <= $3::text::timestamptz from {schema}.entry
      where entry.book = $1 and entry.account = $2 and entry.version = (low + high + 1) / 2
    ) as before
    from bisection where low < high
  ) step
), found as (
  select entry.posted, entry.held, entry.version
  from bisection join {schema}.entry
    on entry.book = $1 and entry.account = $2 and entry.version = bisection.low
  where bisection.low = bisection.high
)
select id, asset, floor::text, closed,
  case when $3::text is null then known.posted else coalesce(found.posted, 0) end::text as posted,
  case when $3::text is null then known.held else coalesce(found.held, 0) end::text as held,
  case when $3::text is null then known.version else coalesce(found.version, 0) end::text as version
from known left join found on true
