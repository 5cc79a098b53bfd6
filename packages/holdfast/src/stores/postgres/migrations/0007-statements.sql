-- Statements, what their lines were matched with, and findings. {schema} is replaced by the name of
-- the schema.
--
-- Inputs: none. Outputs: tables statement_bank, statement_intake, statement, statement_line,
--   statement_line_text, statement_allocation, finding, statement_clue, statement_late_return.
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
  matched_sweep text collate "C" not null default 'debit'
    check (matched_sweep in ('debit', 'waiting', 'credit')),
  matched_line integer not null default 0,
  matched timestamptz,
  posted timestamptz,
  books_after numeric,
  primary key (book, intake, number),
  foreign key (book, intake) references {schema}.statement_intake on delete cascade
);

comment on column {schema}.statement.day is
  'Orders the statements of a bank: the last booking day, or that of the one before where it is empty.';
comment on column {schema}.statement.matched_line is
  'The last line of that sweep that has been matched: debits, those that waited, then credits.';
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
  place text collate "C" not null check (place in ('clearing', 'fees', 'suspense')),
  payout text collate "C",
  role text collate "C" check (role in ('pays', 'returns')),
  books bigint not null,
  bank bigint not null,
  primary key (book, intake, statement, line, part)
);

comment on table {schema}.statement_allocation is
  'Where a line ended: its parts add up to it, in books (as posted) and in bank (as printed).';

create index statement_allocation_payout on {schema}.statement_allocation (book, payout)
  where payout is not null;
create unique index statement_allocation_paid_once on {schema}.statement_allocation (book, payout)
  where role = 'pays';

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

create table {schema}.statement_clue (
  book text collate "C" not null,
  intake bigint not null,
  statement integer not null,
  line integer not null,
  clue integer not null,
  payout text collate "C",
  amount numeric,
  primary key (book, intake, statement, line, clue),
  check ((payout is null) <> (amount is null))
);

comment on table {schema}.statement_clue is
  'What a line may be about although it was not matched with it: a payout, or one of some amount.';

create index statement_clue_payout on {schema}.statement_clue (book, payout) where payout is not null;
create index statement_clue_amount on {schema}.statement_clue (book, amount) where amount is not null;

create table {schema}.statement_late_return (
  book text collate "C" not null,
  intake bigint not null,
  statement integer not null,
  line integer not null,
  detail integer not null,
  payout text collate "C" not null,
  suspended bigint not null,
  posted timestamptz,
  primary key (book, intake, statement, line, detail)
);

comment on table {schema}.statement_late_return is
  'A return that was posted before our books knew of its payment, and was matched again since.';
comment on column {schema}.statement_late_return.suspended is
  'What its statement had posted to suspense for it.';

create index statement_late_return_unposted on {schema}.statement_late_return (book)
  where posted is null;

-- Why the statements of an intake cannot be accepted beside those that have been.
-- Inputs: the book, the bank, the intake. Outputs: a row for each clash: OTHER_ACCOUNT, or
--   STATEMENT_TAKEN_BEFORE where the same statement came in another file, or earlier in this one.
-- Banks begin to count anew every year, and some print one id on all: so the same statement has the
--   same account and id, days that overlap, and the same opening balance (where that is not known:
--   the same lines); or it is empty like the other, with the same balances.
create function {schema}.statement_clashes(p_book text, p_bank text, p_intake bigint)
returns table (code text, number integer, id text, account text, other_account text, other_hash text)
language sql stable as $$
  select case when mine.account <> other.account then 'OTHER_ACCOUNT'
      else 'STATEMENT_TAKEN_BEFORE' end,
    mine.number, mine.id, mine.account, other.account, taken.hash
  from {schema}.statement mine
    join {schema}.statement other on other.book = mine.book and other.bank = mine.bank
    join {schema}.statement_intake taken
      on taken.book = other.book and taken.intake = other.intake
  where mine.book = p_book and mine.bank = p_bank and mine.intake = p_intake
    and (taken.accepted is not null or (taken.intake = p_intake and other.number < mine.number))
    and (mine.account <> other.account or (
      mine.id = other.id
      and mine.opening is not distinct from other.opening
      and case when mine.booked_lines = 0 or other.booked_lines = 0
        then mine.booked_lines = other.booked_lines
          and mine.closing is not distinct from other.closing
        else mine.first_day <= other.last_day and mine.last_day >= other.first_day
          and (mine.opening is not null
            or (mine.booked_lines, mine.moved) = (other.booked_lines, other.moved))
        end
    ))
$$;
