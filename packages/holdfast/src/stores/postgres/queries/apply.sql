-- A list of commands in one step. See migrations/0005-apply.sql.
-- Inputs: $1 book, $2 the encoded list, $3 the deadline or null. Outputs: one row a command.
-- Locks: those of apply_v1.
select code, leg, account, available, asked, moved, recorded, stored
from {schema}.apply_v1($1, $2::text::jsonb, $3::text::timestamptz)
