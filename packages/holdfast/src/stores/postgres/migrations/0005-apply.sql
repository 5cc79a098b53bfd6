-- apply_v1: a list of commands in one step, equal to `decide` applied to them in order.
--
-- Inputs: as read_list_v1. Outputs: one row a command: its answer as decide_list_v1 gives it, what
--   moved, and for EXISTS, ENDED and every end or reversal the stored movement as JSON.
-- Locks: those of read_list_v1, then the keys (inserted, sorted).
-- Raises: HF001 and HF002 as read_list_v1; HF003 needs READ COMMITTED.
create function {schema}.apply_v1(p_book text, p_list jsonb, p_deadline timestamptz)
returns table (
  code text, leg integer, account text, available text, asked text,
  moved text, recorded text, stored text
) language plpgsql volatile as $$
#variable_conflict use_column
declare
  p {schema}.list_state;
  d {schema}.list_decision;
  -- Copies of what is looked up by index: in a variable of its own an array is unpacked once.
  ids text[]; keys text[]; c_key integer[]; c_ref integer[]; c_expires bigint[];
  c_may_owe boolean[]; c_effective timestamptz[]; c_meta text[]; c_reason text[]; c_asked text[];
  seqs bigint[]; transaction_ bigint; moved_count integer; written integer;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'holdfast needs READ COMMITTED, not %', current_setting('transaction_isolation')
      using errcode = 'HF003';
  end if;
  p := {schema}.read_list_v1(p_book, p_list, p_deadline);
  d := {schema}.decide_list_v1(p);
  ids := p.ids; keys := p.keys; c_key := p.c_key; c_ref := p.c_ref; c_expires := p.c_expires;
  c_may_owe := p.c_may_owe; c_effective := p.c_effective; c_meta := p.c_meta;
  c_reason := p.c_reason; c_asked := p.c_asked;

  -- The keys first, since they can meet another list's; then what nobody else can hold.
  moved_count := cardinality(d.m_command);
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
      x.kind = 'reverse' and c_may_owe[x.c],
      case when x.kind in ('transfer', 'hold') then c_meta[x.c]::json end, c_reason[x.c],
      p.recorded, seqs[x.n], transaction_
    from unnest(d.m_command, d.m_key, d.m_kind, d.m_legs,
      d.m_moved) with ordinality as x(c, k, kind, legs, moved, n)
    order by 2, 3
    on conflict do nothing;
    get diagnostics written = row_count;
    if written < moved_count then
      raise exception 'a key was used by another list at the same moment' using errcode = 'HF001';
    end if;
    insert into {schema}.entry (book, account, version, key, part, posted, held, recorded)
    select p_book, ids[x.a], x.version, keys[x.k], x.part, x.posted, x.held, p.recorded
    from unnest(d.e_account, d.e_version, d.e_key, d.e_part,
      d.e_posted, d.e_held) as x(a, version, k, part, posted, held);
  end if;
  update {schema}.account known
  set posted = x.posted, held = x.held, version = x.version, closed = x.closed, recorded = p.recorded
  from unnest(p.ids, d.a_posted, d.a_held, d.a_version, d.a_closed) as x(id, posted, held, version, closed)
  where known.book = p_book and known.id = x.id
    and (known.version <> x.version or known.closed <> x.closed);

  return query
    select x.code, x.leg, ids[x.a], x.available::text, x.asked::text, x.moved,
      {schema}.instant_text(p.recorded),
      case when x.part is not null then (
        select {schema}.movement_json(m)::text from {schema}.movement m
        where m.book = p_book and m.key = keys[c_key[x.n]] and m.part = x.part) end
    from unnest(d.o_code, d.o_leg, d.o_account, d.o_available, d.o_asked, d.o_moved, d.o_part)
      with ordinality as x(code, leg, a, available, asked, moved, part, n)
    order by x.n;
end $$;
