-- read_list_v1: everything that a list is decided on, with the locks held.
--
-- Inputs: the book; the list as the store encodes it (encode-list.ts): accounts, keys, commands and
--   legs with indexes in place of names; the deadline by this server's clock (null: none).
-- Outputs: the state of the list.
-- Locks, in this order: accounts that are opened (inserted, sorted by id); all accounts of the list
--   and of its originals (for update, sorted by id). So two lists cannot wait for each other. A hold
--   needs no lock of its own: its end shares its accounts.
-- Raises: HF001 met another list at the same moment, send again; HF002 the deadline has passed.
create function {schema}.read_list_v1(p_book text, p_list jsonb, p_deadline timestamptz)
returns {schema}.list_state language plpgsql volatile as $$
#variable_conflict use_column
declare
  p {schema}.list_state;
  ids text[] := array(select jsonb_array_elements_text(p_list->'accounts'));
  created text[];
  keys text[] := array(select jsonb_array_elements_text(p_list->'keys'));
  refs integer[] := array(select jsonb_array_elements_text(p_list->'refs')::integer);
  k_kind text[] := array_fill(null::text, array[cardinality(keys)]);
  k_end text[] := k_kind; k_legs text[] := k_kind;
  k_first integer[] := array_fill(null::integer, array[cardinality(keys)]);
  k_last integer[] := k_first;
  k_expires timestamptz[] := array_fill(null::timestamptz, array[cardinality(keys)]);
  l_to integer[]; l_asset text[]; l_first integer[]; l_last integer[];
  s_account integer[] := array(select jsonb_array_elements_text(p_list->'sources')::integer);
  s_taken numeric[] := array_fill(0::numeric, array[cardinality(s_account)]);
  s_paid numeric[] := s_taken; s_back numeric[] := s_taken;
  k integer; l integer; s integer; i integer; row_ record;
begin
  -- 1. What the list says.
  select array_agg(x.kind order by n), array_agg(x.key order by n), array_agg(x.ref order by n),
    array_agg(x.account order by n), array_agg(x.asset order by n), array_agg(x.floor order by n),
    array_agg(x.first order by n), array_agg(x.last order by n),
    array_agg(x.amounts order by n), array_agg(x.count order by n), array_agg(x.expires order by n),
    array_agg(x.if_expired order by n), array_agg(x.may_owe order by n),
    array_agg(x.legs order by n), array_agg(x.effective order by n),
    array_agg(x.meta order by n), array_agg(x.reason order by n), array_agg(x.asked order by n)
  into p.c_kind, p.c_key, p.c_ref, p.c_account, p.c_asset, p.c_floor, p.c_first, p.c_last,
    p.c_amounts, p.c_count, p.c_expires, p.c_if_expired, p.c_may_owe, p.c_legs, p.c_effective,
    p.c_meta, p.c_reason, p.c_asked
  from rows from (jsonb_to_recordset(p_list->'commands') as (
    kind text, key integer, ref integer, account integer, asset text, floor numeric,
    first integer, last integer, amounts integer, count integer, expires bigint, if_expired boolean,
    may_owe boolean, legs text, effective timestamptz, meta text, reason text, asked text
  )) with ordinality as x(kind, key, ref, account, asset, floor, first, last, amounts, count, expires,
    if_expired, may_owe, legs, effective, meta, reason, asked, n);

  select array_agg(x.to_ order by n), array_agg(x.asset order by n), array_agg(x.amount order by n),
    array_agg(x.least order by n), array_agg(x.first order by n), array_agg(x.last order by n)
  into l_to, l_asset, p.l_amount, p.l_least, l_first, l_last
  from rows from (jsonb_to_recordset(p_list->'legs') as (
    to_ integer, asset text, amount numeric, least numeric, first integer, last integer
  )) with ordinality as x(to_, asset, amount, least, first, last, n);
  -- 2. Originals: the stored holds and transfers that are named, with their accounts and legs.
  if cardinality(refs) > 0 then
    ids := ids || array(
      select distinct name.value
      from {schema}.movement m, json_array_elements(m.legs) leg(value),
        lateral (select leg.value->>'to' as value
          union select json_array_elements_text(leg.value->'from')) name
      where m.book = p_book and m.part = 0 and m.key = any(
        select keys[each] from unnest(refs) each) and name.value <> all(ids));
    for row_ in
      select named.k, m.kind, m.legs::text as legs, m.moved, m.recorded
          + m.expires_in_ms * interval '1 millisecond' as expires,
        leg.n as leg_n, leg.value->>'asset' as asset, source.n as source_n,
        target.n as to_n, giver.n as from_n,
        row_number() over (partition by named.k order by leg.n, source.n) as place
      from unnest(refs) named(k)
        join {schema}.movement m on m.book = p_book and m.key = keys[named.k] and m.part = 0,
        json_array_elements(m.legs) with ordinality leg(value, n),
        json_array_elements_text(leg.value->'from') with ordinality source(value, n),
        unnest(ids) with ordinality target(id, n), unnest(ids) with ordinality giver(id, n)
      where target.id = leg.value->>'to' and giver.id = source.value
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

  -- 3. Accounts that are opened, then every lock.
  with opened as (
    select distinct on (x.account) ids[x.account] as id, x.asset, x.floor
    from unnest(p.c_kind, p.c_account, p.c_asset, p.c_floor) with ordinality as x(kind, account, asset, floor, n)
    where x.kind = 'open' order by x.account, x.n
  ), inserted as (
    insert into {schema}.account (book, id, asset, floor, recorded)
    select p_book, o.id, o.asset, o.floor, '-infinity' from opened o
    where not exists (select from {schema}.account known where known.book = p_book and known.id = o.id)
    order by o.id
    on conflict do nothing
    returning {schema}.account.id
  )
  select coalesce(array_agg(inserted.id), '{}') into created from inserted;
  perform 1 from {schema}.account known
  where known.book = p_book and known.id = any(ids) order by known.id for update;

  -- 4. In the next statement, which sees what the locks waited for: balances, keys, ends, reversals.
  select array_agg(known.id is not null and known.id <> all(created) order by x.n),
    array_agg(known.asset order by x.n), array_agg(known.floor::numeric order by x.n),
    array_agg(known.posted::numeric order by x.n), array_agg(known.held::numeric order by x.n),
    array_agg(known.version order by x.n), array_agg(known.closed order by x.n),
    greatest(date_trunc('milliseconds', clock_timestamp()), max(known.recorded))
  into p.a_exists, p.a_asset, p.a_floor, p.a_posted, p.a_held, p.a_version, p.a_closed, p.recorded
  from unnest(ids) with ordinality x(id, n)
    left join {schema}.account known on known.book = p_book and known.id = x.id;
  if clock_timestamp() >= p_deadline then
    raise exception 'the deadline of the list has passed' using errcode = 'HF002';
  end if;
  for row_ in
    select x.n as k, m.part, m.kind, m.moved
    from unnest(keys) with ordinality x(key, n)
      join {schema}.movement m on m.book = p_book and m.key = x.key
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
    from unnest(refs) named(k)
      join {schema}.movement m on m.book = p_book and m.of = keys[named.k],
      unnest(m.moved) with ordinality back(amount, place)
    group by named.k, back.place
  loop
    s := l_first[k_first[row_.k]] + row_.place - 1;
    s_back[s] := row_.amount;
  end loop;
  p.v := array(select jsonb_array_elements_text(p_list->'amounts')::numeric);
  p.ids := ids; p.keys := keys;
  p.k_kind := k_kind; p.k_end := k_end; p.k_legs := k_legs;
  p.k_first := k_first; p.k_last := k_last; p.k_expires := k_expires;
  p.l_to := l_to; p.l_asset := l_asset; p.l_first := l_first; p.l_last := l_last;
  p.s_account := s_account; p.s_taken := s_taken; p.s_paid := s_paid; p.s_back := s_back;
  return p;
end $$;
