-- What the lines of a statement ended as, by place, role and side.
-- Inputs: $1 book, $2 intake, $3 statement. Outputs: rows, in a fixed order. Locks: none.
select place, role, sum(books)::text as books, sum(bank)::text as bank,
  count(*) filter (where books <> 0)::integer as books_count,
  count(*) filter (where bank <> 0)::integer as bank_count
from {schema}.statement_allocation
where book = $1 and intake = $2::bigint and statement = $3::integer
group by place, role, (books < 0)
order by place, role nulls first, (books < 0) desc
