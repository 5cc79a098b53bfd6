-- What payouts have been matched with so far.
-- Inputs: $1 book, $2 payouts as a JSON list, $3 the intake at hand. Outputs: a row for each that a
--   line is about; `elsewhere` is a JSON list of what lines of other intakes have paid or returned.
-- Locks: none; the bank's row is held, so that nothing is added.
select payout, bool_or(role = 'pays') as paid,
  coalesce(sum(books) filter (where role = 'returns'), 0)::text as returned,
  coalesce(-sum(books) filter (where role is null and place = 'suspense'), 0)::text as overpaid, (
    select coalesce(json_agg(concat_ws(' ', mine.payout, coalesce(booked::text, '-'), moved)), '[]')::text
    from (
      select line.booked, sum(part.bank) as moved
      from {schema}.statement_allocation named
        join {schema}.statement_allocation part using (book, intake, statement, line, detail)
        join {schema}.statement_line line on line.book = $1 and line.intake = named.intake
          and line.statement = named.statement and line.number = named.line
      where named.book = $1 and named.payout = mine.payout and named.role is not null
        and named.intake <> $3::bigint
      group by named.intake, named.statement, named.line, named.part, line.booked
    ) moved_elsewhere
  ) as elsewhere
from {schema}.statement_allocation mine
where book = $1
  and payout in (select x.id from jsonb_array_elements_text($2::text::jsonb) as x(id))
group by payout
