-- apply_v1: a list of commands in one step, equal to `decide` applied to them in order.
--
-- Inputs: the book; the list as the store encodes it (encode-list.ts): accounts, keys, commands and
--   legs with indexes in place of names; the deadline by this server's clock (null: none).
-- Outputs: one row a command: `code` is OK, EXISTS (the key was used before: the caller compares),
--   ENDED (the hold has an end: the caller compares) or a refusal with its details; what moved; and
--   for EXISTS, ENDED and every end or reversal the movement that is the answer, as JSON.
-- Locks, in this order: accounts that are opened (inserted, sorted by id); all accounts of the list
--   and of its originals (for update, sorted by id); the keys (inserted, sorted). So two lists
--   cannot wait for each other. A hold needs no lock of its own: its end shares its accounts.
-- Raises: HF001 met another list at the same moment, send again; HF002 the deadline has passed;
--   HF003 needs READ COMMITTED. It is one function since its state is in dense arrays, which
--   plpgsql would copy at every call of another.
create function {schema}.apply_v1(p_book text, p_list jsonb, p_deadline timestamptz)
returns table (
  code text, leg integer, account text, available text, asked text,
  moved text, recorded text, stored text
) language plpgsql volatile as $$
#variable_conflict use_column
declare
  balance_max constant numeric := 9223372036854775807;
  -- accounts
  ids text[] := array(select jsonb_array_elements_text(p_list->'accounts'));
  created text[]; a_exists boolean[]; a_asset text[]; a_floor numeric[]; a_posted numeric[];
  a_held numeric[]; a_version bigint[]; a_closed boolean[];
  -- keys: what is known of each, and the legs of its hold or transfer
  keys text[] := array(select jsonb_array_elements_text(p_list->'keys'));
  refs integer[] := array(select jsonb_array_elements_text(p_list->'refs')::integer);
  k_kind text[] := array_fill(null::text, array[cardinality(keys)]);
  k_end text[] := k_kind; k_legs text[] := k_kind;
  k_first integer[] := array_fill(null::integer, array[cardinality(keys)]);
  k_last integer[] := k_first;
  k_expires timestamptz[] := array_fill(null::timestamptz, array[cardinality(keys)]);
  -- commands; v: the amounts that settles and reversals name
  c_kind text[]; c_key integer[]; c_ref integer[]; c_account integer[]; c_asset text[];
  c_floor numeric[]; c_first integer[]; c_last integer[]; c_amounts integer[]; c_count integer[];
  c_expires bigint[]; c_if_expired boolean[]; c_may_owe boolean[]; c_legs text[];
  c_effective timestamptz[]; c_meta text[]; c_reason text[]; c_asked text[];
  v numeric[] := array(select jsonb_array_elements_text(p_list->'amounts')::numeric);
  -- legs and their sources; taken: held of a source; paid: what a transfer or a settle moved from
  -- it; back: what reversals have returned to it; moved: by the command at hand
  l_to integer[]; l_asset text[]; l_amount numeric[]; l_least numeric[];
  l_first integer[]; l_last integer[];
  s_account integer[] := array(select jsonb_array_elements_text(p_list->'sources')::integer);
  s_taken numeric[] := array_fill(0::numeric, array[cardinality(s_account)]);
  s_paid numeric[] := s_taken; s_back numeric[] := s_taken; s_moved numeric[] := s_taken;
  -- the lines of one leg, before they are written
  p_account integer[]; p_posted numeric[]; p_held numeric[]; p_count integer;
  -- what is written: entries (with what stood before, to take a refused command back) and movements
  e_account integer[] := '{}'; e_version bigint[] := '{}'; e_key integer[] := '{}';
  e_part integer[] := '{}'; e_posted numeric[] := '{}'; e_held numeric[] := '{}';
  e_posted_before numeric[] := '{}'; e_held_before numeric[] := '{}';
  e_count integer := 0; e_start integer;
  m_command integer[] := '{}'; m_key integer[] := '{}'; m_kind text[] := '{}';
  m_legs text[] := '{}'; m_moved text[] := '{}'; m_count integer := 0; m_start integer;
  seqs bigint[];
  -- the answers
  o_code text[] := '{}'; o_leg integer[] := '{}'; o_account integer[] := '{}';
  o_available numeric[] := '{}'; o_asked numeric[] := '{}'; o_moved text[] := '{}';
  o_part integer[] := '{}';
  -- the command at hand
  c integer; k integer; r integer; l integer; s integer; a integer; i integer; step integer;
  code_ text; at_leg integer; at_account integer; has numeric; wants numeric; part_ integer;
  missing numeric; gives numeric; total numeric; now_ timestamptz;
  phase text; body integer; first_ integer; last_ integer; moved_ text;
  row_ record; written integer;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'holdfast needs READ COMMITTED, not %', current_setting('transaction_isolation')
      using errcode = 'HF003';
  end if;

  -- 1. What the list says.
  select array_agg(x.kind order by n), array_agg(x.key order by n), array_agg(x.ref order by n),
    array_agg(x.account order by n), array_agg(x.asset order by n), array_agg(x.floor order by n),
    array_agg(x.first order by n), array_agg(x.last order by n),
    array_agg(x.amounts order by n), array_agg(x.count order by n), array_agg(x.expires order by n),
    array_agg(x.if_expired order by n), array_agg(x.may_owe order by n),
    array_agg(x.legs order by n), array_agg(x.effective order by n),
    array_agg(x.meta order by n), array_agg(x.reason order by n), array_agg(x.asked order by n)
  into c_kind, c_key, c_ref, c_account, c_asset, c_floor, c_first, c_last, c_amounts, c_count,
    c_expires, c_if_expired, c_may_owe, c_legs, c_effective, c_meta, c_reason, c_asked
  from rows from (jsonb_to_recordset(p_list->'commands') as (
    kind text, key integer, ref integer, account integer, asset text, floor numeric,
    first integer, last integer, amounts integer, count integer, expires bigint, if_expired boolean,
    may_owe boolean, legs text, effective timestamptz, meta text, reason text, asked text
  )) with ordinality as x(kind, key, ref, account, asset, floor, first, last, amounts, count, expires,
    if_expired, may_owe, legs, effective, meta, reason, asked, n);

  select array_agg(x.to_ order by n), array_agg(x.asset order by n), array_agg(x.amount order by n),
    array_agg(x.least order by n), array_agg(x.first order by n), array_agg(x.last order by n)
  into l_to, l_asset, l_amount, l_least, l_first, l_last
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
      s_moved[s] := 0;
    end loop;
  end if;

  -- 3. Accounts that are opened, then every lock.
  with opened as (
    select distinct on (x.account) ids[x.account + 0] as id, x.asset, x.floor
    from unnest(c_kind, c_account, c_asset, c_floor) with ordinality as x(kind, account, asset, floor, n)
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
  into a_exists, a_asset, a_floor, a_posted, a_held, a_version, a_closed, now_
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

  -- 5. Decide, command by command. A refused one is taken back line by line.
  for c in 1 .. coalesce(cardinality(c_kind), 0) loop
    code_ := null; at_leg := null; at_account := null; has := null; wants := null; moved_ := null;
    e_start := e_count; m_start := m_count;
    k := c_key[c]; r := c_ref[c]; a := c_account[c]; part_ := 0;
    case c_kind[c]
    when 'open' then
      if not a_exists[a] then
        a_exists[a] := true;
        code_ := 'OK';
      elsif a_asset[a] = c_asset[c] and a_floor[a] is not distinct from c_floor[c] then
        code_ := 'REPLAY';
      else
        code_ := 'ACCOUNT_DIFFERS';
      end if;
    when 'close' then
      if not a_exists[a] then
        code_ := 'ACCOUNT_NOT_FOUND';
      elsif a_closed[a] then
        code_ := 'REPLAY';
      else
        a_closed[a] := true;
        code_ := 'OK';
      end if;
    when 'transfer', 'hold' then
      body := k; first_ := c_first[c]; last_ := c_last[c];
      if k_kind[k] is not null then
        code_ := 'EXISTS';
      elsif k_end[r] is not null then
        code_ := case k_end[r] when 'settle' then 'HOLD_SETTLED' else 'HOLD_RELEASED' end;
      end if;
      if code_ is null then
        -- The first account that is missing; else the first closed one; else the first mismatch.
        <<accounts>>
        for l in first_ .. last_ loop
          for s in l_first[l] .. l_last[l] + 1 loop
            a := case when s > l_last[l] then l_to[l] else s_account[s] end;
            if not a_exists[a] then
              code_ := 'ACCOUNT_NOT_FOUND'; at_account := a; at_leg := null;
              exit accounts;
            elsif a_closed[a] and code_ is distinct from 'ACCOUNT_CLOSED' then
              code_ := 'ACCOUNT_CLOSED'; at_account := a; at_leg := null;
            elsif a_asset[a] <> l_asset[l] and code_ is null then
              code_ := 'ASSET_MISMATCH'; at_account := a; at_leg := l - first_;
            end if;
          end loop;
        end loop;
        if r is not null and k_kind[r] is distinct from 'hold'
          and code_ is distinct from 'ACCOUNT_NOT_FOUND' then
          code_ := 'HOLD_NOT_FOUND'; at_account := null; at_leg := null;
        end if;
      end if;
    when 'settle', 'release' then
      body := k; first_ := k_first[k]; last_ := k_last[k]; part_ := 1;
      if k_end[k] is not null then
        code_ := 'ENDED';
      elsif k_kind[k] is distinct from 'hold' then
        code_ := 'HOLD_NOT_FOUND';
      elsif c_count[c] <> last_ - first_ + 1 then
        code_ := 'INVALID_LEGS'; has := last_ - first_ + 1; wants := c_count[c];
      elsif c_kind[c] = 'settle' and k_expires[k] <= now_ then
        code_ := 'HOLD_EXPIRED';
      elsif c_if_expired[c] and coalesce(k_expires[k] > now_, true) then
        code_ := 'HOLD_NOT_EXPIRED';
      elsif c_amounts[c] is not null then
        for l in first_ .. last_ loop
          has := 0;
          for s in l_first[l] .. l_last[l] loop has := has + s_taken[s]; end loop;
          wants := v[c_amounts[c] + l - first_];
          if wants > has then
            code_ := 'AMOUNT_EXCEEDS_HOLD'; at_leg := l - first_;
            exit;
          end if;
        end loop;
      end if;
    when 'reverse' then
      body := r; first_ := k_first[r]; last_ := k_last[r];
      if k_kind[k] is not null then
        code_ := 'EXISTS';
      elsif k_kind[r] is null then
        code_ := 'TRANSFER_NOT_FOUND';
      elsif k_kind[r] = 'reverse'
        or k_kind[r] = 'hold' and k_end[r] is distinct from 'settle' then
        code_ := 'NOT_REVERSIBLE';
      elsif c_count[c] <> last_ - first_ + 1 then
        code_ := 'INVALID_LEGS'; has := last_ - first_ + 1; wants := c_count[c];
      else
        total := 0;
        for l in first_ .. last_ loop
          has := 0;
          for s in l_first[l] .. l_last[l] loop has := has + s_paid[s] - s_back[s]; end loop;
          wants := case when c_amounts[c] is null then has else v[c_amounts[c] + l - first_] end;
          total := total + wants;
          if wants > has then
            code_ := 'AMOUNT_EXCEEDS_TRANSFER'; at_leg := l - first_;
            exit;
          end if;
        end loop;
        if total = 0 then
          code_ := 'AMOUNT_EXCEEDS_TRANSFER'; at_leg := 0; has := 0; wants := 0;
        end if;
      end if;
    end case;

    -- The legs: those of the hold that is replaced first, then the command's own.
    if code_ is null then
      phase := case when c_kind[c] = 'hold' and r is not null then 'replace' else c_kind[c] end;
      <<phases>>
      loop
        if phase = 'replace' then
          body := r; first_ := k_first[r]; last_ := k_last[r];
        elsif c_kind[c] = 'hold' then
          body := k; first_ := c_first[c]; last_ := c_last[c];
        end if;
        for step in 0 .. last_ - first_ loop
          l := case when phase = 'reverse' then last_ - step else first_ + step end;
          p_account := '{}'; p_posted := '{}'; p_held := '{}'; p_count := 0;
          if phase in ('transfer', 'hold') then
            -- I2: each source as far as it is available, in order; refused below atLeast.
            missing := l_amount[l];
            for s in l_first[l] .. l_last[l] loop
              a := s_account[s];
              gives := case when a_floor[a] is null then missing
                else least(missing, greatest(a_posted[a] - a_held[a] - a_floor[a], 0)) end;
              missing := missing - gives;
              s_moved[s] := gives;
              if gives > 0 then
                p_count := p_count + 1;
                p_account[p_count] := a;
                p_posted[p_count] := case phase when 'transfer' then -gives else 0 end;
                p_held[p_count] := case phase when 'hold' then gives else 0 end;
              end if;
            end loop;
            total := l_amount[l] - missing;
            if total < l_least[l] then
              code_ := 'INSUFFICIENT_FUNDS'; at_leg := l - first_; has := total; wants := l_least[l];
              exit phases;
            end if;
            if phase = 'hold' then total := 0; end if;
          elsif phase = 'reverse' then
            total := 0;
            for s in l_first[l] .. l_last[l] loop total := total + s_paid[s] - s_back[s]; end loop;
            missing := coalesce(v[c_amounts[c] + l - first_], total);
            a := l_to[l];
            has := case when a_floor[a] is null then missing
              else greatest(a_posted[a] - a_held[a] - a_floor[a], 0) end;
            if missing > has and not c_may_owe[c] then
              code_ := 'INSUFFICIENT_FUNDS'; at_leg := l - first_; wants := missing; at_account := a;
              exit phases;
            end if;
            if missing > 0 then
              p_count := 1;
              p_account[1] := a; p_posted[1] := -missing; p_held[1] := 0;
            end if;
            for s in reverse l_last[l] .. l_first[l] loop
              gives := least(missing, s_paid[s] - s_back[s]);
              missing := missing - gives;
              s_moved[s] := gives;
              if gives > 0 then
                p_count := p_count + 1;
                p_account[p_count] := s_account[s];
                p_posted[p_count] := gives;
                p_held[p_count] := 0;
              end if;
            end loop;
            total := 0;
          else
            -- A hold ends: the first source gives first, all that was held is freed.
            total := 0;
            if phase = 'settle' then
              for s in l_first[l] .. l_last[l] loop total := total + s_taken[s]; end loop;
              total := coalesce(v[c_amounts[c] + l - first_], total);
            end if;
            missing := total;
            for s in l_first[l] .. l_last[l] loop
              gives := least(missing, s_taken[s]);
              missing := missing - gives;
              s_moved[s] := case phase when 'settle' then gives else s_taken[s] end;
              if s_taken[s] > 0 then
                p_count := p_count + 1;
                p_account[p_count] := s_account[s];
                p_posted[p_count] := -gives;
                p_held[p_count] := -s_taken[s];
              end if;
            end loop;
          end if;
          if total > 0 then
            p_count := p_count + 1;
            p_account[p_count] := l_to[l]; p_posted[p_count] := total; p_held[p_count] := 0;
          end if;
          for i in 1 .. p_count loop
            a := p_account[i];
            e_count := e_count + 1;
            e_posted_before[e_count] := a_posted[a];
            e_held_before[e_count] := a_held[a];
            a_posted[a] := a_posted[a] + p_posted[i];
            a_held[a] := a_held[a] + p_held[i];
            a_version[a] := a_version[a] + 1;
            e_account[e_count] := a;
            e_version[e_count] := a_version[a];
            e_key[e_count] := case phase when 'replace' then r else k end;
            e_part[e_count] := case phase when 'replace' then 1 else part_ end;
            e_posted[e_count] := a_posted[a];
            e_held[e_count] := a_held[a];
            if greatest(abs(a_posted[a]), a_held[a], abs(a_posted[a] - a_held[a])) > balance_max then
              code_ := 'BALANCE_TOO_LARGE'; at_account := a;
              exit phases;
            end if;
          end loop;
        end loop;

        -- The phase took effect: what later commands of the list see of it.
        moved_ := '';
        for s in l_first[first_] .. l_last[last_] loop
          moved_ := moved_ || ',' || s_moved[s];
          if phase = 'hold' then
            s_taken[s] := s_moved[s];
          elsif phase in ('transfer', 'settle') then
            s_paid[s] := s_moved[s];
          elsif phase = 'reverse' then
            s_back[s] := s_back[s] + s_moved[s];
          end if;
        end loop;
        moved_ := '{' || substr(moved_, 2) || '}';
        m_count := m_count + 1;
        m_command[m_count] := c;
        m_key[m_count] := case phase when 'replace' then r else k end;
        m_kind[m_count] := case phase when 'replace' then 'release' else phase end;
        m_moved[m_count] := moved_;
        if phase in ('transfer', 'hold') then
          k_legs[k] := c_legs[c]; k_first[k] := first_; k_last[k] := last_;
          k_expires[k] := now_ + c_expires[c] * interval '1 millisecond';
        end if;
        m_legs[m_count] := k_legs[body];
        case phase
        when 'replace' then k_end[r] := 'release';
        when 'settle', 'release' then k_end[k] := phase;
        else k_kind[k] := phase;
        end case;
        exit when phase <> 'replace';
        phase := 'hold';
      end loop;
      if code_ is null then
        code_ := 'OK';
      else
        for i in reverse e_count .. e_start + 1 loop
          a := e_account[i];
          a_posted[a] := e_posted_before[i];
          a_held[a] := e_held_before[i];
          a_version[a] := a_version[a] - 1;
        end loop;
        e_count := e_start;
        if m_count > m_start then k_end[r] := null; end if;
        m_count := m_start;
      end if;
    end if;
    o_code[c] := code_; o_leg[c] := at_leg; o_account[c] := at_account;
    o_available[c] := has; o_asked[c] := wants; o_moved[c] := moved_;
    o_part[c] := case when code_ in ('EXISTS', 'ENDED')
      or code_ = 'OK' and c_kind[c] in ('settle', 'release', 'reverse') then part_ end;
  end loop;

  -- 6. Write: the keys first, since they can meet another list's; then what nobody else can hold.
  if m_count > 0 then
    seqs := array(select nextval('{schema}.movement_seq') from generate_series(1, m_count));
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
      now_, seqs[x.n], pg_current_xact_id()::text::bigint
    from unnest(m_command[1:m_count], m_key[1:m_count], m_kind[1:m_count], m_legs[1:m_count],
      m_moved[1:m_count]) with ordinality as x(c, k, kind, legs, moved, n)
    order by 2, 3
    on conflict do nothing;
    get diagnostics written = row_count;
    if written < m_count then
      raise exception 'a key was used by another list at the same moment' using errcode = 'HF001';
    end if;
    insert into {schema}.entry (book, account, version, key, part, posted, held, recorded)
    select p_book, ids[x.a], x.version, keys[x.k], x.part, x.posted, x.held, now_
    from unnest(e_account[1:e_count], e_version[1:e_count], e_key[1:e_count], e_part[1:e_count],
      e_posted[1:e_count], e_held[1:e_count]) as x(a, version, k, part, posted, held);
  end if;
  update {schema}.account known
  set posted = x.posted, held = x.held, version = x.version, closed = x.closed, recorded = now_
  from unnest(ids, a_posted, a_held, a_version, a_closed) as x(id, posted, held, version, closed)
  where known.book = p_book and known.id = x.id
    and (known.version <> x.version or known.closed <> x.closed);

  -- 7. Answer.
  return query
    select x.code, x.leg, ids[x.a], x.available::text, x.asked::text, x.moved,
      {schema}.instant_text(now_),
      case when x.part is not null then (
        select {schema}.movement_json(m)::text from {schema}.movement m
        where m.book = p_book and m.key = keys[c_key[x.n]] and m.part = x.part) end
    from unnest(o_code, o_leg, o_account, o_available, o_asked, o_moved, o_part)
      with ordinality as x(code, leg, a, available, asked, moved, part, n)
    order by x.n;
end $$;
