-- Writes down findings, each once.
-- Inputs: $1 book, $2 intake, $3 statement, $4 the findings as JSON. Outputs: none. Locks: none.
insert into {schema}.finding (book, intake, statement, line, detail, kind, payout, named, books, bank)
select $1, $2::bigint, $3::integer, x.line, x.detail, x.kind, coalesce(x.payout, ''),
  array(select jsonb_array_elements_text(x.named)), x.books, x.bank
from jsonb_to_recordset($4::text::jsonb) as x(
  line integer, detail integer, kind text, payout text, named jsonb, books bigint, bank bigint
)
on conflict do nothing
