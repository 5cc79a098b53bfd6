-- decide_list_v1: what a list of commands answers and changes, in order; `decide` in SQL. Pure.
--
-- Inputs: the state of the list. Outputs: the decision. Locks: none.
-- Answers: OK, REPLAY (open, close), EXISTS (the key was used before: the caller compares), ENDED
--   (the hold has an end: the caller compares, moved is what was held), or a refusal with its
--   details. It is one function since plpgsql copies arrays at every call of another.
create function {schema}.decide_list_v1(p {schema}.list_state)
returns {schema}.list_decision language plpgsql immutable as $$
declare
  balance_max constant numeric := 9223372036854775807;
  a_exists boolean[] := p.a_exists; a_asset text[] := p.a_asset; a_floor numeric[] := p.a_floor;
  a_posted numeric[] := p.a_posted; a_held numeric[] := p.a_held;
  a_version bigint[] := p.a_version; a_closed boolean[] := p.a_closed;
  k_kind text[] := p.k_kind; k_end text[] := p.k_end; k_legs text[] := p.k_legs;
  k_first integer[] := p.k_first; k_last integer[] := p.k_last;
  k_expires timestamptz[] := p.k_expires;
  c_kind text[] := p.c_kind; c_key integer[] := p.c_key; c_ref integer[] := p.c_ref;
  c_account integer[] := p.c_account; c_asset text[] := p.c_asset;
  c_floor numeric[] := p.c_floor; c_first integer[] := p.c_first; c_last integer[] := p.c_last;
  c_amounts integer[] := p.c_amounts; c_count integer[] := p.c_count;
  c_expires bigint[] := p.c_expires; c_if_expired boolean[] := p.c_if_expired;
  c_may_owe boolean[] := p.c_may_owe; c_legs text[] := p.c_legs; v numeric[] := p.v;
  l_to integer[] := p.l_to; l_asset text[] := p.l_asset; l_amount numeric[] := p.l_amount;
  l_least numeric[] := p.l_least; l_first integer[] := p.l_first; l_last integer[] := p.l_last;
  s_account integer[] := p.s_account; s_taken numeric[] := p.s_taken;
  s_paid numeric[] := p.s_paid; s_back numeric[] := p.s_back;
  -- what the command at hand moves from or to each source
  s_moved numeric[] := s_taken;
  -- the lines of the command, kept to take it back where a later one is refused
  p_account integer[] := '{}'; p_posted numeric[] := '{}'; p_held numeric[] := '{}';
  p_count integer; p_start integer;
  e_account integer[] := '{}'; e_version bigint[] := '{}'; e_movement integer[] := '{}';
  e_posted numeric[] := '{}'; e_held numeric[] := '{}';
  e_count integer := 0; e_start integer;
  m_command integer[] := '{}'; m_key integer[] := '{}'; m_kind text[] := '{}';
  m_legs text[] := '{}'; m_moved text[] := '{}';
  m_count integer := 0; m_start integer;
  o_code text[] := '{}'; o_moved text[] := '{}';
  -- set for some commands only, so as long as the list from the start
  o_leg integer[] := array_fill(null::integer, array[cardinality(c_kind)]);
  o_account integer[] := o_leg; o_part integer[] := o_leg;
  o_available numeric[] := array_fill(null::numeric, array[cardinality(c_kind)]);
  o_asked numeric[] := o_available;
  c integer; k integer; r integer; l integer; s integer; a integer; i integer; step integer;
  code_ text; at_leg integer; at_account integer; has numeric; wants numeric; part_ integer;
  missing numeric; gives numeric; total numeric;
  phase text; body integer; first_ integer; last_ integer; moved_ text;
begin
  for c in 1 .. coalesce(cardinality(c_kind), 0) loop
    code_ := null; has := null; wants := null; moved_ := null; e_start := e_count; m_start := m_count; p_count := 0;
    k := c_key[c]; r := c_ref[c]; a := c_account[c]; part_ := 0;
    case c_kind[c]
    when 'transfer', 'hold' then
      body := k; first_ := c_first[c]; last_ := c_last[c];
      if k_kind[k] is not null then
        code_ := 'EXISTS';
      elsif k_end[r] is not null then
        code_ := case k_end[r] when 'settle' then 'HOLD_SETTLED' else 'HOLD_RELEASED' end;
      else
        -- The first account that is missing; else the first closed one; else the first mismatch.
        <<accounts>>
        for l in first_ .. last_ loop
          for s in l_first[l] .. l_last[l] + 1 loop
            a := case when s > l_last[l] then l_to[l] else s_account[s] end;
            continue when a_exists[a] and not a_closed[a] and a_asset[a] = l_asset[l];
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
    when 'settle', 'release' then
      body := k; first_ := k_first[k]; last_ := k_last[k]; part_ := 1;
      if k_end[k] is not null then
        code_ := 'ENDED';
        moved_ := '{' || array_to_string(s_taken[l_first[first_]:l_last[last_]], ',') || '}';
      elsif k_kind[k] is distinct from 'hold' then
        code_ := 'HOLD_NOT_FOUND';
      elsif c_count[c] <> last_ - first_ + 1 then
        code_ := 'INVALID_LEGS'; has := last_ - first_ + 1; wants := c_count[c];
      elsif c_kind[c] = 'settle' and k_expires[k] <= p.recorded then
        code_ := 'HOLD_EXPIRED';
      elsif c_if_expired[c] and coalesce(k_expires[k] > p.recorded, true) then
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
          p_start := p_count;
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
              p_count := p_count + 1;
              p_account[p_count] := a; p_posted[p_count] := -missing; p_held[p_count] := 0;
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
          for i in p_start + 1 .. p_count loop
            a := p_account[i];
            e_count := e_count + 1;
            a_posted[a] := a_posted[a] + p_posted[i];
            a_held[a] := a_held[a] + p_held[i];
            a_version[a] := a_version[a] + 1;
            e_account[e_count] := a;
            e_version[e_count] := a_version[a];
            e_movement[e_count] := m_count + 1;
            e_posted[e_count] := a_posted[a];
            e_held[e_count] := a_held[a];
            if a_posted[a] > balance_max or a_held[a] > balance_max
              or a_posted[a] - a_held[a] < -balance_max then
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
        m_key[m_count] := case when phase = 'replace' then r else k end;
        m_kind[m_count] := case phase when 'replace' then 'release' else phase end;
        m_moved[m_count] := moved_;
        if phase in ('transfer', 'hold') then
          k_legs[k] := c_legs[c]; k_first[k] := first_; k_last[k] := last_;
          k_expires[k] := p.recorded + c_expires[c] * interval '1 millisecond';
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
        for i in 1 .. e_count - e_start loop
          a := p_account[i];
          a_posted[a] := a_posted[a] - p_posted[i];
          a_held[a] := a_held[a] - p_held[i];
          a_version[a] := a_version[a] - 1;
        end loop;
        e_count := e_start;
        if m_count > m_start then k_end[r] := null; end if;
        m_count := m_start;
      end if;
    end if;
    o_code[c] := code_; o_moved[c] := moved_;
    if code_ <> 'OK' then
      o_leg[c] := at_leg; o_account[c] := at_account; o_available[c] := has; o_asked[c] := wants;
      at_leg := null; at_account := null;
    end if;
    if code_ in ('EXISTS', 'ENDED')
      or code_ = 'OK' and c_kind[c] in ('settle', 'release', 'reverse') then
      o_part[c] := part_;
    end if;
  end loop;
  return row(a_posted, a_held, a_version, a_closed,
    e_account[1:e_count], e_version[1:e_count], e_movement[1:e_count],
    e_posted[1:e_count], e_held[1:e_count],
    m_command[1:m_count], m_key[1:m_count], m_kind[1:m_count], m_legs[1:m_count],
    m_moved[1:m_count],
    o_code, o_leg, o_account, o_available, o_asked, o_moved, o_part)::{schema}.list_decision;
end $$;
