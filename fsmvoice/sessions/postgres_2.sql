-- Version 2 of the tables, which version 1 of this package can use as well.

-- What is to be forgotten is found by its index, and so is nothing: the hour has to be an integer, as the column is.
-- A lease that ran out long ago protects nobody, whether its session lives or not: the next one's fence is higher.
CREATE OR REPLACE FUNCTION fsmvoice_sweep(p_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  t double precision := fsmvoice_now();
  gone text[];
BEGIN
  SELECT coalesce(array_agg(s.key), '{}') INTO gone FROM (
    SELECT key FROM fsmvoice_sessions WHERE forget_on <= floor(t / 3600000)::integer AND expires <= t
    ORDER BY forget_on LIMIT p_limit FOR UPDATE SKIP LOCKED) s;
  DELETE FROM fsmvoice_events WHERE key = ANY (gone);
  DELETE FROM fsmvoice_answers WHERE key = ANY (gone);
  DELETE FROM fsmvoice_services WHERE key = ANY (gone);
  DELETE FROM fsmvoice_effects WHERE key = ANY (gone);
  DELETE FROM fsmvoice_sessions WHERE key = ANY (gone);
  DELETE FROM fsmvoice_leases WHERE key IN (
    SELECT key FROM fsmvoice_leases WHERE until < t - 86400000 LIMIT p_limit * 20 FOR UPDATE SKIP LOCKED);
  RETURN cardinality(gone);
END
$$;
