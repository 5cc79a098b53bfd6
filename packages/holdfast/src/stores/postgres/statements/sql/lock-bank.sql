-- Takes the turn of a bank: whoever accepts or matches its statements goes one after another.
-- Inputs: $1 book, $2 bank. Outputs: none. Locks: the bank's row, until the transaction ends.
insert into {schema}.statement_bank (book, bank) values ($1, $2)
on conflict (book, bank) do update set bank = excluded.bank
