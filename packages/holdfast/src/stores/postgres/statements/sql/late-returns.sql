-- Credits of posted statements that were left aside since nobody had paid the payout that they name,
-- and whose payout is paid by now. What was erased cannot be matched again.
-- Inputs: $1 book, $2 bank, $3 how many. Outputs: rows, the lines with their intake, in their order.
-- Locks: none.
select finding.intake::text, finding.detail, line.statement, line.number, line.amount::text, currency,
  direction, line.status, reversal, booked::text, value::text, content
from {schema}.finding
  join {schema}.payout on payout.book = $1 and payout.id = finding.payout
    and payout.status in ('success', 'reversed')
  join {schema}.statement on statement.book = $1 and statement.intake = finding.intake
    and statement.number = finding.statement
  join {schema}.statement_line line on line.book = $1 and line.intake = finding.intake
    and line.statement = finding.statement and line.number = finding.line
  join {schema}.statement_line_text erasable on erasable.book = $1
    and erasable.intake = finding.intake and erasable.statement = finding.statement
    and erasable.number = finding.line
where finding.book = $1 and statement.bank = $2 and posted is not null
  and kind = 'STATUS_DIFFERS' and finding.bank > 0
order by day, finding.intake, finding.statement, finding.line, finding.detail
limit $3::integer
