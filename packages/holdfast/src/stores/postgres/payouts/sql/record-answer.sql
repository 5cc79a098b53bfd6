-- Keeps what came of an attempt, whoever holds the lease by now: an answer is evidence.
-- Inputs: $1 book, $2 payout, $3 number, $4 answer, $5 reason, $6 the gateway's reference.
-- Outputs: none. Locks: the attempt's row.
update {schema}.payout_attempt
set answer = $4, reason = $5, reference = $6, answered = clock_timestamp()
where book = $1 and payout = $2 and number = $3::text::integer and answer is null
