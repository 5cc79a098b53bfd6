-- Keeps one person's word that the hold of a payout may be released.
-- Inputs: $1 book, $2 payout, $3 person, $4 reason. Outputs: none. Locks: none.
insert into {schema}.payout_release_word (book, payout, person, said, reason)
values ($1, $2, $3, clock_timestamp(), $4)
