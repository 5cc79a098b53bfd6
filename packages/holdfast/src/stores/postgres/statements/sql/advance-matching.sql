-- Moves the matching of a statement on, where it stands where it was seen.
-- Inputs: $1 book, $2 intake, $3 number, $4 and $5 the sweep and line seen, $6 and $7 the new ones,
--   $8 whether this was the last page.
-- Outputs: one row, or none where somebody else has matched the page. Locks: the statement.
update {schema}.statement set matched_sweep = $6, matched_line = $7::integer,
  matched = case when $8::boolean then clock_timestamp() end
where book = $1 and intake = $2::bigint and number = $3::integer and matched is null
  and matched_sweep = $4 and matched_line = $5::integer
returning number
