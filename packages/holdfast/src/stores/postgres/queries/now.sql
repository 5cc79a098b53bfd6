-- The time by the server's clock. Inputs: none. Outputs: an instant. Locks: none.
select {schema}.instant_text(clock_timestamp()) as now
