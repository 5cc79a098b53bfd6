-- What the role that a program runs as needs: it reads and writes, but it cannot change or delete a
-- movement or an entry (I4), nor forget an account.
-- Inputs: none; {schema} and {role} are replaced by their names. Outputs: none.
-- Locks: those of granting. Sent at once, so that all of it takes effect or nothing.
grant usage on schema {schema} to {role};
grant select, insert, update, delete on all tables in schema {schema} to {role};
revoke update, delete on {schema}.movement, {schema}.entry, {schema}.lineage from {role};
revoke delete on {schema}.account from {role};
revoke insert, update, delete on {schema}.migration from {role};
grant usage on all sequences in schema {schema} to {role};
grant execute on all functions in schema {schema} to {role};
