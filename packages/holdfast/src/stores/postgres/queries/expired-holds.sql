-- Holds that have expired and have not ended, oldest first.
-- Inputs: $1 book, $2 how many. Outputs: keys. Locks: none.
select m.key
from {schema}.movement m
where m.book = $1 and m.expires_in_ms is not null
  and m.recorded + m.expires_in_ms * interval '1 millisecond' <= clock_timestamp()
  and not exists (
    select from {schema}.movement ended
    where ended.book = m.book and ended.key = m.key and ended.part = 1)
order by m.recorded
limit $2::integer
