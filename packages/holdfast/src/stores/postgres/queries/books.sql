-- The ids of all books, also of one whose accounts have vanished: `check` is to see it.
-- Inputs: none. Outputs: rows. Locks: none. Jumps from book to book.
with recursive each(book) as (
  (select least(
    (select book from {schema}.account order by book limit 1),
    (select book from {schema}.movement order by book limit 1),
    (select book from {schema}.entry order by book limit 1)))
  union all
  select least(
    (select account.book from {schema}.account where account.book > each.book order by account.book limit 1),
    (select movement.book from {schema}.movement where movement.book > each.book order by movement.book limit 1),
    (select entry.book from {schema}.entry where entry.book > each.book order by entry.book limit 1))
  from each where each.book is not null
)
select book from each where book is not null
