-- Holds that come after their payout was refused. {schema} is replaced by the name of the schema.
--
-- Inputs: none. Outputs: the column late_hold_due of payout, and its index.
-- Locks: the table payout, for a moment.

alter table {schema}.payout add column late_hold_due timestamptz;

comment on column {schema}.payout.late_hold_due is
  'When to look for the hold of a worker from whom a requested payout was taken over; null: of none.';

create index payout_late_hold on {schema}.payout (book, late_hold_due)
  where status = 'refused' and late_hold_due is not null;
