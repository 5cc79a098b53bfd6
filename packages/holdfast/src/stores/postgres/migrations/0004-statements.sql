-- Statements, what their lines were matched with, and findings. {schema} is replaced by the name of
-- the schema.
--
-- Inputs: none. Outputs: tables statement_bank, statement_intake, statement, statement_line,
--   statement_line_text, statement_allocation, finding.
-- Locks: none beyond those of creating what is new.

create table {schema}.statement_bank (
  book text collate "C" not null,
  bank text collate "C" not null,
  primary key (book, bank)
);

comment on table {schema}.statement_bank is
  'One row for each account at a bank: whoever accepts or matches its statements locks it first.';

create table {schema}.statement_intake (
  book text collate "C" not null,
  intake bigint generated always as identity,
  bank text collate "C" not null,
  hash text collate "C" not null,
  touched timestamptz not null default clock_timestamp(),
  accepted timestamptz,
  primary key (book, intake)
);

comment on column {schema}.statement_intake.accepted is
  'Null while the lines of the file only wait; set once, by the one update that accepts the file.';

create unique index statement_intake_accepted on {schema}.statement_intake (book, bank, hash)
  where accepted is not null;
create index statement_intake_waiting on {schema}.statement_intake (book, bank)
  where accepted is null;

create table {schema}.statement (
  book text collate "C" not null,
  intake bigint not null,
  number integer not null check (number > 0),
  bank text collate "C" not null,
  id text collate "C",
  account text collate "C",
  format text collate "C" not null,
  opening numeric,
  closing numeric,
  lines integer not null,
  booked_lines integer not null,
  moved numeric not null,
  first_day date,
  last_day date,
  day date,
  final boolean not null default false,
  matched_debits integer not null default 0,
  matched_credits integer not null default 0,
  matched timestamptz,
  posted timestamptz,
  books_after numeric,
  primary key (book, intake, number),
  foreign key (book, intake) references {schema}.statement_intake on delete cascade
);

comment on column {schema}.statement.day is
  'Orders the statements of a bank: the last booking day, or that of the one before where it is empty.';
comment on column {schema}.statement.matched_debits is
  'The last line of its side that has been matched; debits come before credits.';
comment on column {schema}.statement.books_after is
  'What the books said of the account at the bank right after the statement was posted.';

create index statement_order on {schema}.statement (book, bank, day, intake, number);

create table {schema}.statement_line (
  book text collate "C" not null,
  intake bigint not null,
  statement integer not null,
  number integer not null check (number > 0),
  amount bigint not null check (amount >= 0),
  currency text collate "C" not null,
  direction text collate "C" not null check (direction in ('debit', 'credit')),
  status text collate "C" not null check (status in ('booked', 'pending', 'info')),
  reversal boolean not null,
  booked date,
  value date,
  primary key (book, intake, statement, number),
  foreign key (book, intake) references {schema}.statement_intake on delete cascade
);

create table {schema}.statement_line_text (
  book text collate "C" not null,
  intake bigint not null,
  statement integer not null,
  number integer not null,
  content text not null,
  primary key (book, intake, statement, number),
  foreign key (book, intake) references {schema}.statement_intake on delete cascade
);

comment on table {schema}.statement_line_text is
  'What may be personal in a line: payees, references, free text. Can be erased once it is posted.';

create table {schema}.statement_allocation (
  book text collate "C" not null,
  intake bigint not null,
  statement integer not null,
  line integer not null,
  part integer not null,
  detail integer not null,
  place text collate "C" not null check (place in ('paid', 'returned', 'fee', 'suspense')),
  payout text collate "C",
  books bigint not null,
  bank bigint not null,
  primary key (book, intake, statement, line, part)
);

comment on table {schema}.statement_allocation is
  'Where a line ended: its parts add up to the line, in books (as posted) and in bank (as printed).';

create index statement_allocation_payout on {schema}.statement_allocation (book, payout)
  where payout is not null;
create unique index statement_allocation_paid_once on {schema}.statement_allocation (book, payout)
  where place = 'paid';

create table {schema}.finding (
  book text collate "C" not null,
  intake bigint not null,
  statement integer not null,
  line integer not null,
  detail integer not null,
  kind text collate "C" not null,
  payout text collate "C" not null,
  named text[] not null,
  books bigint,
  bank bigint,
  recorded timestamptz not null default clock_timestamp(),
  primary key (book, intake, statement, line, detail, kind, payout)
);

comment on column {schema}.finding.payout is 'The payout that it is about, or empty.';
comment on column {schema}.finding.named is 'Every payout that the line names.';
