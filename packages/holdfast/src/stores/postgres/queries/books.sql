-- The ids of all books. Inputs: none. Outputs: rows. Locks: none. Jumps from book to book.
with recursive each(book) as (
  (select book from {schema}.account order by book limit 1)
  union all
  select (select account.book from {schema}.account where account.book > each.book order by account.book limit 1)
  from each where each.book is not null
)
select book from each where book is not null
