-- How far the matching of a statement has come.
-- Inputs: $1 book, $2 intake, $3 number.
-- Outputs: one row: whether it is done, the sweep, and the last line of it that is. Locks: none.
select matched is not null as matched, matched_sweep, matched_line
from {schema}.statement
where book = $1 and intake = $2::bigint and number = $3::integer
