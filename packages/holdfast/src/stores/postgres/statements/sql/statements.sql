-- Accepted statements of a bank in order, with the closing balance before each, and with what the
-- books said after each. Where statements were posted out of order that is corrected: by what those
-- before it in order have moved, and those that were posted before it.
-- Inputs: $1 book, $2 bank, $3 which: posted, unposted or named, $4 the intakes named, as a JSON list.
-- Outputs: rows. Locks: none.
with ordered as (
  select statement.*, statement_intake.hash, statement_intake.accepted,
    lag(closing) over in_order as closing_before,
    row_number() over in_order as place,
    sum(moved) filter (where posted is not null) over in_order
      - sum(moved) over (order by posted, day nulls first, intake, number) as out_of_order
  from {schema}.statement join {schema}.statement_intake using (book, intake)
  where book = $1 and statement.bank = $2 and accepted is not null
  window in_order as (order by day nulls first, intake, number)
)
select intake::text, number, hash, id, account, lines, booked_lines, first_day::text, last_day::text,
  day::text, opening::text, closing::text, closing_before::text, final,
  posted is not null as posted, {schema}.instant_text(accepted) as accepted,
  (books_after + out_of_order)::text as books
from ordered
where case $3
  when 'posted' then posted is not null
  when 'unposted' then posted is null
  when 'named' then intake::text in (
    select x.intake from jsonb_array_elements_text($4::text::jsonb) as x(intake)
  )
end
order by place
