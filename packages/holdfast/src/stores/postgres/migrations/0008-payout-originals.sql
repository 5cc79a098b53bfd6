-- Whose place a payout takes. {schema} is replaced by the name of the schema.
--
-- Inputs: none. Outputs: the function payout_originals.
-- Locks: none.

-- The payouts whose place one takes: the failed one that it names, the one whose place that took, and
-- so on. None where it takes nobody's. What a payout names never changes.
-- Inputs: the book, the payout. Outputs: a row for each. Locks: none.
create function {schema}.payout_originals(p_book text, p_id text)
returns table (id text) language sql stable rows 1 as $$
  with recursive original(id) as (
    select p.retry_of from {schema}.payout p where p.book = p_book and p.id = p_id
    union
    select p.retry_of from original o join {schema}.payout p on p.book = p_book and p.id = o.id
  )
  select o.id from original o where o.id is not null
$$;
