-- A page of a book's accounts by id.
-- Inputs: $1 book, $2 the id that they come after or null, $3 how many. Outputs: rows. Locks: none.
select id, asset, floor::text, posted::text, held::text, version::text, closed
from {schema}.account
where book = $1 and ($2::text is null or id > $2 collate "C")
order by id
limit $3::integer
