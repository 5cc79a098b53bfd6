-- What a list of commands is decided on, and what is decided, as dense arrays with indexes from 1.
--
-- Inputs: none. Outputs: the types list, list_state and list_decision. Locks: none.
-- A letter says what an array is about: a accounts, k keys, c commands, l legs, s their sources, v
-- the amounts that settles and reversals name; e entries, m movements and o answers that come of it.

-- As encode-list.ts writes it. An array that no command of the list needs is null.
create type {schema}.list as (
  accounts text[], keys text[], refs integer[],
  c_kind text[], c_key integer[], c_ref integer[], c_account integer[], c_asset text[],
  c_floor numeric[], c_first integer[], c_last integer[], c_amounts integer[], c_count integer[],
  c_expires bigint[], c_if_expired boolean[], c_may_owe boolean[], c_legs text[],
  c_effective timestamptz[], c_meta text[], c_reason text[], c_asked text[], v numeric[],
  l_to integer[], l_asset text[], l_amount numeric[], l_least numeric[], l_first integer[],
  l_last integer[], s_account integer[]
);

create type {schema}.list_state as (
  recorded timestamptz,
  -- accounts: ids is in the order of the list; a_exists is false before the list opens one
  ids text[], a_exists boolean[], a_asset text[], a_floor numeric[], a_posted numeric[],
  a_held numeric[], a_version bigint[], a_closed boolean[], a_row tid[],
  -- keys: what is known of each; k_first and k_last are the legs of its hold or transfer
  keys text[], k_kind text[], k_end text[], k_legs text[], k_first integer[], k_last integer[],
  k_expires timestamptz[],
  -- commands: c_ref is the original or the replaced hold; c_amounts is where its amounts begin;
  -- what the decision does not need of them stays in the list
  c_kind text[], c_key integer[], c_ref integer[], c_account integer[], c_asset text[],
  c_floor numeric[], c_first integer[], c_last integer[], c_amounts integer[], c_count integer[],
  c_expires bigint[], c_if_expired boolean[], c_may_owe boolean[], c_legs text[], v numeric[],
  -- legs: l_first and l_last are their sources
  l_to integer[], l_asset text[], l_amount numeric[], l_least numeric[], l_first integer[],
  l_last integer[],
  -- sources: taken is held of one, paid is what left it for good, back what reversals returned
  s_account integer[], s_taken numeric[], s_paid numeric[], s_back numeric[]
);

create type {schema}.list_decision as (
  -- the accounts afterwards
  a_posted numeric[], a_held numeric[], a_version bigint[], a_closed boolean[],
  -- one for each line
  e_account integer[], e_version bigint[], e_movement integer[], e_posted numeric[],
  e_held numeric[],
  -- one for each movement
  m_command integer[], m_key integer[], m_kind text[], m_legs text[], m_moved text[],
  -- one for each command; o_part asks for the stored movement of its key
  o_code text[], o_leg integer[], o_account integer[], o_available numeric[], o_asked numeric[],
  o_moved text[], o_part integer[]
);
