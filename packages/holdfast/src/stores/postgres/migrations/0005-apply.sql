-- apply_v1: a list of commands in one step, equal to `decide` applied to them in order.
--
-- Inputs: as read_list_v1. Outputs: one row: the instant; the codes of the answers, with commas
--   between them; what each moved, with semicolons; and of the answers that have more to say a JSON
--   list: n (the command, from 1), leg, account, available, asked, and for EXISTS, ENDED and every
--   end or reversal the stored movement.
-- Locks: those of read_list_v1, then the keys (inserted, sorted).
-- Raises: HF001 and HF002 as read_list_v1; a unique violation where another list used a key at the
--   same moment: send again; HF003 needs READ COMMITTED;
--   HF005 an account changed under its lock, which nothing can explain.
create function {schema}.apply_v1(p_book text, p_list {schema}.list, p_deadline timestamptz)
returns table (recorded text, codes text, moved text, more json)
language plpgsql volatile
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  p {schema}.list_state;
  d {schema}.list_decision;
  -- Copies of what is looked up by index: in a variable of its own an array is unpacked once.
  ids text[]; keys text[] := p_list.keys; c_key integer[] := p_list.c_key;
  c_ref integer[] := p_list.c_ref; c_expires bigint[] := p_list.c_expires;
  c_may_owe boolean[] := p_list.c_may_owe; c_effective timestamptz[] := p_list.c_effective;
  c_meta text[] := p_list.c_meta; c_reason text[] := p_list.c_reason;
  c_asked text[] := p_list.c_asked; m_key integer[]; m_kind text[];
  seqs bigint[]; transaction_ bigint; moved_count integer;
  written integer; changed integer;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'holdfast needs READ COMMITTED, not %', current_setting('transaction_isolation')
      using errcode = 'HF003';
  end if;
  p := {schema}.read_list_v1(p_book, p_list, p_deadline);
  d := {schema}.decide_list_v1(p);
  ids := p.ids;

  -- The keys first, since they can meet another list's; then what nobody else can hold.
  m_key := d.m_key; m_kind := d.m_kind;
  moved_count := cardinality(m_key);
  if moved_count > 0 then
    seqs := array(select nextval('{schema}.movement_seq') from generate_series(1, moved_count));
    transaction_ := {schema}.transaction_id_v1();
    insert into {schema}.movement (book, key, part, kind, legs, moved, of, replaces, amounts,
      expires_in_ms, effective, may_owe, meta, reason, recorded, seq, transaction)
    select p_book, keys[x.k], case when x.kind in ('settle', 'release') then 1 else 0 end, x.kind,
      x.legs::json, x.moved::bigint[],
      case x.kind when 'reverse' then keys[c_ref[x.c]] end,
      case x.kind when 'hold' then keys[c_ref[x.c]] end,
      case when x.kind in ('settle', 'reverse') then c_asked[x.c]::bigint[] end,
      case x.kind when 'hold' then c_expires[x.c] end, c_effective[x.c],
      x.kind = 'reverse' and coalesce(c_may_owe[x.c], false),
      case when x.kind in ('transfer', 'hold') then c_meta[x.c]::json end, c_reason[x.c],
      p.recorded, seqs[x.n], transaction_
    from unnest(d.m_command, m_key, m_kind, d.m_legs,
      d.m_moved) with ordinality as x(c, k, kind, legs, moved, n)
    order by 2, 3;
    insert into {schema}.entry (book, account, version, key, part, posted, held, recorded)
    select p_book, ids[x.a], x.version, keys[m_key[x.m]],
      case when m_kind[x.m] in ('settle', 'release') then 1 else 0 end, x.posted, x.held, p.recorded
    from unnest(d.e_account, d.e_version, d.e_movement,
      d.e_posted, d.e_held) as x(a, version, m, posted, held);
  end if;
  -- By their place: the rows are locked, so they are where they were read.
  update {schema}.account known
  set posted = x.posted, held = x.held, version = x.version, closed = x.closed, recorded = p.recorded
  from unnest(p.a_row, d.a_posted, d.a_held, d.a_version, d.a_closed)
    as x(place, posted, held, version, closed)
  where known.ctid = x.place and (known.version <> x.version or known.closed <> x.closed);
  get diagnostics written = row_count;
  select count(*) into changed
  from unnest(p.a_version, d.a_version, p.a_closed, d.a_closed) as x(version, now, closed, is_closed)
  where x.version <> x.now or x.closed <> x.is_closed;
  if written <> changed then
    raise exception '% accounts were to change, and % did', changed, written using errcode = 'HF005';
  end if;

  return query
    select {schema}.instant_text(p.recorded), array_to_string(d.o_code, ','),
      array_to_string(d.o_moved, ';', ''), (
        select json_agg(json_build_object('n', x.n, 'leg', x.leg, 'account', ids[x.a],
          'available', x.available::text, 'asked', x.asked::text, 'stored', (
            select {schema}.movement_json(m) from {schema}.movement m
            where m.book = p_book and m.key = keys[c_key[x.n]] and m.part = x.part)))
        from unnest(d.o_code, d.o_leg, d.o_account, d.o_available, d.o_asked, d.o_part)
          with ordinality as x(code, leg, a, available, asked, part, n)
        where x.part is not null or x.code not in ('OK', 'REPLAY'));
end $$;
