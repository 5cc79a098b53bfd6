-- Marks the statements of some files as final.
-- Inputs: $1 book, $2 bank, $3 intakes as a JSON list. Outputs: none. Locks: the statements.
update {schema}.statement set final = true
where book = $1 and bank = $2 and not final
  and intake::text in (select x.intake from jsonb_array_elements_text($3::text::jsonb) as x(intake))
