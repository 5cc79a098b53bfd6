-- read_list_v1: everything that a list is decided on, with the locks held.
--
-- Inputs: the book; the list; the deadline by this server's clock (null: none).
-- Outputs: the state of the list.
-- Locks, in this order: accounts that are opened (inserted, sorted by id); all accounts of the list
--   and of its originals (for update, sorted by id). So two lists cannot wait for each other. A hold
--   needs no lock of its own: its end shares its accounts.
-- Raises: HF001 met another list at the same moment, send again; HF002 the deadline has passed.
-- The plans are pinned: one that is made while a table is small is kept when the table has grown. So
-- every look into a table goes by an index, from the list to the table: `offset 0` keeps a look
-- below from being turned round.
create function {schema}.read_list_v1(p_book text, p_list {schema}.list, p_deadline timestamptz)
returns {schema}.list_state language plpgsql volatile
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  p {schema}.list_state;
  ids text[] := p_list.accounts;
  places jsonb;
  created text[] := '{}';
  keys text[] := p_list.keys;
  refs integer[] := p_list.refs;
  k_kind text[] := array_fill(null::text, array[cardinality(keys)]);
  k_end text[] := k_kind; k_legs text[] := k_kind;
  k_first integer[] := array_fill(null::integer, array[cardinality(keys)]);
  k_last integer[] := k_first;
  k_expires timestamptz[] := array_fill(null::timestamptz, array[cardinality(keys)]);
  l_to integer[] := p_list.l_to; l_asset text[] := p_list.l_asset;
  l_first integer[] := p_list.l_first; l_last integer[] := p_list.l_last;
  s_account integer[] := coalesce(p_list.s_account, '{}');
  s_taken numeric[] := array_fill(0::numeric, array[cardinality(s_account)]);
  s_paid numeric[] := s_taken; s_back numeric[] := s_taken;
  k integer; l integer; s integer; i integer; locked integer; row_ record;
begin
  -- 1. Originals: the stored holds and transfers that are named, with their accounts and legs.
  if cardinality(refs) > 0 then
    ids := ids || array(
      select name.value
      from unnest(refs) named(k), lateral (
          select * from {schema}.movement m
          where m.book = p_book and m.key = keys[named.k] and m.part = 0 offset 0
        ) m, json_array_elements(m.legs) leg(value),
        lateral (select leg.value->>'to' as value
          union all select json_array_elements_text(leg.value->'from')) name
      except select unnest(ids));
    places := (select jsonb_object_agg(x.id, x.n) from unnest(ids) with ordinality x(id, n));
    for row_ in
      select named.k, m.kind, m.legs::text as legs, m.moved, m.recorded
          + m.expires_in_ms * interval '1 millisecond' as expires,
        leg.n as leg_n, leg.value->>'asset' as asset, source.n as source_n,
        (places->>(leg.value->>'to'))::integer as to_n, (places->>source.value)::integer as from_n,
        row_number() over (partition by named.k order by leg.n, source.n) as place
      from unnest(refs) named(k), lateral (
          select * from {schema}.movement m
          where m.book = p_book and m.key = keys[named.k] and m.part = 0 offset 0
        ) m, json_array_elements(m.legs) with ordinality leg(value, n),
        json_array_elements_text(leg.value->'from') with ordinality source(value, n)
      order by named.k, leg.n, source.n
    loop
      k := row_.k;
      s := cardinality(s_account) + 1;
      if row_.place = 1 then
        k_kind[k] := row_.kind;
        k_legs[k] := row_.legs;
        k_expires[k] := row_.expires;
        k_first[k] := coalesce(cardinality(l_to), 0) + 1;
      end if;
      if row_.source_n = 1 then
        l := coalesce(cardinality(l_to), 0) + 1;
        l_to[l] := row_.to_n;
        l_asset[l] := row_.asset;
        l_first[l] := s;
        k_last[k] := l;
      end if;
      l_last[l] := s;
      s_account[s] := row_.from_n;
      s_taken[s] := row_.moved[row_.place];
      s_paid[s] := case when row_.kind = 'transfer' then row_.moved[row_.place] else 0 end;
      s_back[s] := 0;
    end loop;
  end if;

  -- 2. Accounts that are opened, then every lock.
  if 'open' = any(p_list.c_kind) then
    with opened as (
      select distinct on (x.account) ids[x.account] as id, x.asset, x.floor
      from unnest(p_list.c_kind, p_list.c_account, p_list.c_asset, p_list.c_floor)
        with ordinality as x(kind, account, asset, floor, n)
      where x.kind = 'open' order by x.account, x.n
    ), inserted as (
      insert into {schema}.account (book, id, asset, floor, recorded)
      select p_book, o.id, o.asset, o.floor, '-infinity' from opened o
      where not exists (
        select from {schema}.account known where known.book = p_book and known.id = o.id)
      order by o.id
      on conflict do nothing
      returning {schema}.account.id
    )
    select coalesce(array_agg(inserted.id), '{}') into created from inserted;
  end if;
  perform 1 from {schema}.account known
  where known.book = p_book and known.id = any(ids) order by known.id for update;
  get diagnostics locked = row_count;

  -- 3. In the next statement, which sees what the locks waited for: balances, keys, ends, reversals.
  select array_agg(x.id is not null and x.id <> all(created)), array_agg(x.asset),
    array_agg(x.floor::numeric), array_agg(x.posted::numeric), array_agg(x.held::numeric),
    array_agg(x.version), array_agg(x.closed), array_agg(x.ctid),
    greatest(date_trunc('milliseconds', clock_timestamp()), max(x.recorded))
  into p.a_exists, p.a_asset, p.a_floor, p.a_posted, p.a_held, p.a_version, p.a_closed, p.a_row, p.recorded
  from (
    select known.* from unnest(ids) with ordinality named(id, n)
      left join lateral (
        select *, ctid from {schema}.account found
        where found.book = p_book and found.id = named.id offset 0
      ) known on true
    order by named.n
  ) x;
  -- One that came up while the locks were waited for is not locked: it is not ours to change.
  if cardinality(array_remove(p.a_row, null)) > locked then
    raise exception 'an account was opened meanwhile' using errcode = 'HF001';
  end if;
  if clock_timestamp() >= p_deadline then
    raise exception 'the deadline of the list has passed' using errcode = 'HF002';
  end if;
  for row_ in
    select x.n as k, m.part, m.kind, m.moved
    from unnest(keys) with ordinality x(key, n), lateral (
      select * from {schema}.movement m where m.book = p_book and m.key = x.key offset 0
    ) m
  loop
    k := row_.k;
    if row_.part = 1 then
      k_end[k] := row_.kind;
    elsif k_kind[k] is null then
      if k = any(refs) then
        raise exception 'a hold or an original appeared meanwhile' using errcode = 'HF001';
      end if;
      k_kind[k] := row_.kind;
    end if;
    if row_.kind = 'settle' and k_first[k] is not null then
      for i in 1 .. cardinality(row_.moved) loop
        s_paid[l_first[k_first[k]] + i - 1] := row_.moved[i];
      end loop;
    end if;
  end loop;
  for row_ in
    select named.k, back.place, sum(back.amount) as amount
    from unnest(refs) named(k), lateral (
        select * from {schema}.movement m where m.book = p_book and m.of = keys[named.k] offset 0
      ) m, unnest(m.moved) with ordinality back(amount, place)
    group by named.k, back.place
  loop
    s := l_first[k_first[row_.k]] + row_.place - 1;
    s_back[s] := row_.amount;
  end loop;
  p.ids := ids; p.keys := keys;
  p.c_kind := p_list.c_kind; p.c_key := p_list.c_key; p.c_ref := p_list.c_ref;
  p.c_account := p_list.c_account; p.c_asset := p_list.c_asset; p.c_floor := p_list.c_floor;
  p.c_first := p_list.c_first; p.c_last := p_list.c_last; p.c_amounts := p_list.c_amounts;
  p.c_count := p_list.c_count; p.c_expires := p_list.c_expires;
  p.c_if_expired := p_list.c_if_expired; p.c_may_owe := p_list.c_may_owe;
  p.c_legs := p_list.c_legs; p.v := p_list.v;
  p.k_kind := k_kind; p.k_end := k_end; p.k_legs := k_legs;
  p.k_first := k_first; p.k_last := k_last; p.k_expires := k_expires;
  p.l_to := l_to; p.l_asset := l_asset; p.l_amount := p_list.l_amount;
  p.l_least := p_list.l_least; p.l_first := l_first; p.l_last := l_last;
  p.s_account := s_account; p.s_taken := s_taken; p.s_paid := s_paid; p.s_back := s_back;
  return p;
end $$;
