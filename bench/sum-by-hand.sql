-- What a team writes that checks its balances: each account against the sum of its amounts.
-- Inputs: none. Outputs: the accounts that differ. Locks: none.
select a.id
from holdfast.account a left join (
  select account, sum(amount) as total from by_hand_entry group by account
) sums on sums.account = a.id
where a.book = 'bench' and a.posted is distinct from coalesce(sums.total, 0)
