-- Findings about the lines of some files, in the order of the lines.
-- Inputs: $1 book, $2 bank, $3 intakes as a JSON list, $4 how many. Outputs: rows. Locks: none.
select statement_intake.hash, finding.statement, line, detail, kind, payout,
  array_to_json(named)::text as named, finding.books::text, finding.bank::text
from {schema}.finding
  join {schema}.statement on statement.book = finding.book and statement.intake = finding.intake
    and statement.number = finding.statement
  join {schema}.statement_intake on statement_intake.book = finding.book
    and statement_intake.intake = finding.intake
where finding.book = $1 and statement.bank = $2 and finding.intake::text in (
  select x.intake from jsonb_array_elements_text($3::text::jsonb) as x(intake)
)
order by day nulls first, finding.intake, finding.statement, line, detail, kind, payout
limit $4::integer
