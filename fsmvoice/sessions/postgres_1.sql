-- Version 1 of the tables. Times are milliseconds since 1970, by this server's clock; JSON is kept as text, as it came.
-- What a client may have written (ids, words) is escaped: text here can hold neither NUL nor half of a character.

CREATE FUNCTION fsmvoice_now() RETURNS double precision LANGUAGE sql VOLATILE AS $$
  SELECT extract(epoch FROM clock_timestamp())::double precision * 1000
$$;

CREATE TABLE fsmvoice_sessions (
  key text COLLATE "C" PRIMARY KEY,
  machine text NOT NULL,
  revision bigint NOT NULL,
  document text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  news text NOT NULL DEFAULT '[]',
  run text NOT NULL,
  caller text NOT NULL,
  created double precision NOT NULL,
  changed double precision NOT NULL,
  expires double precision NOT NULL,
  -- The hour from which nobody needs to know any more that it was there. By the hour, so that few commits touch its index.
  forget_on integer NOT NULL,
  timer_at double precision,
  -- When it has something to do by itself: a timer, a service that nobody runs, an effect. Null for never.
  wake_at double precision,
  -- Which commit it stands at: who lost the connection meanwhile sends the same one again.
  stamp uuid NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX fsmvoice_sessions_wake ON fsmvoice_sessions (machine, wake_at) WHERE wake_at IS NOT NULL;
CREATE INDEX fsmvoice_sessions_forget ON fsmvoice_sessions (forget_on);
CREATE INDEX fsmvoice_sessions_caller ON fsmvoice_sessions (caller) WHERE caller <> '';

CREATE TABLE fsmvoice_events (
  key text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  at double precision NOT NULL,
  name text NOT NULL,
  source text,
  target text,
  request_id text,
  principal text NOT NULL,
  version text,
  arguments text NOT NULL,
  audit text,
  stamp uuid NOT NULL,
  PRIMARY KEY (key, seq)
);

CREATE TABLE fsmvoice_answers (
  key text COLLATE "C" NOT NULL,
  request_id text NOT NULL,
  sent text NOT NULL,
  say text NOT NULL,
  revision bigint NOT NULL,
  at double precision NOT NULL,
  PRIMARY KEY (key, request_id)
);
CREATE INDEX fsmvoice_answers_revision ON fsmvoice_answers (key, revision);

CREATE SEQUENCE fsmvoice_fences;
CREATE TABLE fsmvoice_leases (
  key text COLLATE "C" PRIMARY KEY,
  owner text NOT NULL,
  until double precision NOT NULL,
  fence bigint NOT NULL
) WITH (fillfactor = 80);

CREATE TABLE fsmvoice_services (
  key text COLLATE "C" NOT NULL,
  service text NOT NULL,
  owner text NOT NULL,
  until double precision NOT NULL,
  times integer NOT NULL DEFAULT 1,
  PRIMARY KEY (key, service)
) WITH (fillfactor = 80);

CREATE TABLE fsmvoice_effects (
  key text COLLATE "C" NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY,
  id text NOT NULL,
  name text NOT NULL,
  arguments text NOT NULL,
  due double precision NOT NULL,
  attempt integer NOT NULL DEFAULT 0,
  error text NOT NULL DEFAULT '',
  dead boolean NOT NULL DEFAULT false,
  PRIMARY KEY (key, position)
);

CREATE TABLE fsmvoice_keys (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  secret bytea NOT NULL
);

-- The earliest of what a session has to do by itself.
CREATE FUNCTION fsmvoice_due(p_key text, p_timer_at double precision) RETURNS double precision LANGUAGE sql STABLE AS $$
  SELECT least(
    p_timer_at,
    (SELECT min(until) FROM fsmvoice_services WHERE key = p_key),
    (SELECT due FROM fsmvoice_effects WHERE key = p_key AND NOT dead ORDER BY position LIMIT 1)
  )
$$;

CREATE FUNCTION fsmvoice_forget(p_key text) RETURNS void LANGUAGE sql VOLATILE AS $$
  DELETE FROM fsmvoice_events WHERE key = p_key;
  DELETE FROM fsmvoice_answers WHERE key = p_key;
  DELETE FROM fsmvoice_services WHERE key = p_key;
  DELETE FROM fsmvoice_effects WHERE key = p_key;
  DELETE FROM fsmvoice_sessions WHERE key = p_key;
$$;

-- One commit: all of it, or nothing. Whoever has not heard what became of it may send it again under the same stamp.
CREATE FUNCTION fsmvoice_commit(
  p_stamp uuid, p_key text, p_expected bigint, p_revision bigint, p_document text, p_machine text,
  p_seqs bigint[], p_names text[], p_sources text[], p_targets text[], p_requests text[], p_principals text[],
  p_versions text[], p_arguments text[], p_audits text[],
  p_request text, p_sent text, p_say text,
  p_effect_ids text[], p_effect_names text[], p_effect_arguments text[],
  p_services text[], p_owner text, p_seconds double precision,
  p_news text, p_timer_at double precision, p_fence bigint, p_caller text, p_run text, p_ends text,
  p_ttl double precision, p_per_caller integer, p_history integer, p_answers integer
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  t double precision := fsmvoice_now();
  there record;
  held record;
  found_expired boolean := false;
  live boolean;
  was_busy boolean := false;
  started double precision := t;
BEGIN
  SELECT revision, created, expires, wake_at, stamp INTO there FROM fsmvoice_sessions WHERE key = p_key FOR UPDATE;
  live := FOUND AND there.expires > t;
  found_expired := FOUND AND NOT live;
  IF p_expected IS DISTINCT FROM (CASE WHEN live THEN there.revision END) THEN
    IF live AND (there.stamp = p_stamp
        OR EXISTS (SELECT FROM fsmvoice_events WHERE key = p_key AND seq = p_revision AND stamp = p_stamp)) THEN
      RETURN 'committed';
    END IF;
    RETURN 'conflict';
  END IF;
  -- A commit that makes no new revision could be taken for not yet done.
  IF live AND there.stamp = p_stamp THEN
    RETURN 'committed';
  END IF;
  SELECT fence, until INTO held FROM fsmvoice_leases WHERE key = p_key FOR UPDATE;
  IF FOUND THEN
    IF p_fence IS NULL AND held.until > t THEN
      RETURN 'leased';
    ELSIF p_fence IS NOT NULL AND held.fence <> p_fence THEN
      RETURN 'conflict';
    ELSIF held.until > 0 THEN
      UPDATE fsmvoice_leases SET until = 0 WHERE key = p_key;
    END IF;
  ELSIF p_fence IS NOT NULL THEN
    RETURN 'conflict';
  END IF;
  IF live THEN
    was_busy := there.wake_at IS NOT NULL;
    started := there.created;
    UPDATE fsmvoice_sessions SET
      machine = p_machine, revision = p_revision, document = p_document, attempts = 0, news = p_news, changed = t,
      expires = t + p_ttl, forget_on = fsmvoice_hour(t + p_ttl, started), timer_at = p_timer_at, wake_at = p_timer_at,
      stamp = p_stamp
      WHERE key = p_key;
  ELSE
    IF found_expired THEN
      PERFORM fsmvoice_forget(p_key);
    END IF;
    IF p_caller <> '' THEN
      PERFORM pg_advisory_xact_lock(hashtextextended('fsmvoice ' || p_caller, 0));
      IF (SELECT count(*) FROM fsmvoice_sessions WHERE caller = p_caller AND expires > t) >= p_per_caller THEN
        RETURN 'full';
      END IF;
    END IF;
    INSERT INTO fsmvoice_sessions
      (key, machine, revision, document, news, run, caller, created, changed, expires, forget_on, timer_at, wake_at, stamp)
      VALUES (p_key, p_machine, p_revision, p_document, p_news, p_run, p_caller, t, t, t + p_ttl,
              fsmvoice_hour(t + p_ttl, t), p_timer_at, p_timer_at, p_stamp)
      ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
      -- Somebody made it meanwhile; perhaps this very commit, sent before.
      PERFORM FROM fsmvoice_sessions WHERE key = p_key AND stamp = p_stamp;
      IF FOUND THEN
        RETURN 'committed';
      END IF;
      RETURN 'conflict';
    END IF;
  END IF;
  INSERT INTO fsmvoice_events
      (key, seq, at, name, source, target, request_id, principal, version, arguments, audit, stamp)
    SELECT p_key, e.seq, t, e.name, e.source, e.target, e.request, e.principal, e.version, e.arguments, e.audit, p_stamp
    FROM unnest(p_seqs, p_names, p_sources, p_targets, p_requests, p_principals, p_versions, p_arguments, p_audits)
      AS e (seq, name, source, target, request, principal, version, arguments, audit);
  IF p_revision >= p_history THEN
    DELETE FROM fsmvoice_events WHERE key = p_key AND seq <= p_revision - p_history;
  END IF;
  IF p_request IS NOT NULL THEN
    INSERT INTO fsmvoice_answers (key, request_id, sent, say, revision, at)
      VALUES (p_key, p_request, p_sent, p_say, p_revision, t)
      ON CONFLICT (key, request_id) DO UPDATE
        SET sent = excluded.sent, say = excluded.say, revision = excluded.revision, at = excluded.at;
    DELETE FROM fsmvoice_answers WHERE key = p_key AND revision <= p_revision - p_answers;
  END IF;
  IF was_busy OR cardinality(p_services) > 0 OR cardinality(p_effect_ids) > 0 THEN
    DELETE FROM fsmvoice_services WHERE key = p_key AND service <> ALL (p_services);
    INSERT INTO fsmvoice_services (key, service, owner, until)
      SELECT p_key, s, p_owner, t + p_seconds * 1000 FROM unnest(p_services) AS s
      ON CONFLICT DO NOTHING;
    INSERT INTO fsmvoice_effects (key, id, name, arguments, due)
      SELECT p_key, e.id, e.name, e.arguments, t
      FROM unnest(p_effect_ids, p_effect_names, p_effect_arguments) WITH ORDINALITY AS e (id, name, arguments, place)
      ORDER BY e.place;
    IF p_ends IS NOT NULL THEN
      UPDATE fsmvoice_effects SET dead = true WHERE key = p_key AND id = p_ends AND NOT dead
        AND position = (SELECT min(position) FROM fsmvoice_effects WHERE key = p_key AND NOT dead);
    END IF;
    UPDATE fsmvoice_sessions SET wake_at = fsmvoice_due(p_key, p_timer_at) WHERE key = p_key;
  END IF;
  RETURN 'committed';
END
$$;

-- The hour after which a session that lived from `p_created` to `p_expires` has been over for as long again.
CREATE FUNCTION fsmvoice_hour(p_expires double precision, p_created double precision) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$
  SELECT (ceil((p_expires + (p_expires - p_created)) / 3600000))::integer
$$;

-- The key that seals, made by whoever asks first.
CREATE FUNCTION fsmvoice_make_key(p_secret bytea) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('fsmvoice keys', 0));
  INSERT INTO fsmvoice_keys (secret) SELECT p_secret WHERE NOT EXISTS (SELECT FROM fsmvoice_keys);
END
$$;

CREATE FUNCTION fsmvoice_note(p_key text, p_revision bigint, p_attempts integer, p_news text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  -- Best effort: nobody waits for the disk.
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE fsmvoice_sessions SET attempts = p_attempts, news = p_news
    WHERE key = p_key AND revision = p_revision AND expires > fsmvoice_now();
END
$$;

CREATE FUNCTION fsmvoice_lease(p_key text, p_owner text, p_seconds double precision)
RETURNS TABLE (fence bigint, revision bigint) LANGUAGE plpgsql AS $$
DECLARE
  t double precision := fsmvoice_now();
  taken bigint;
BEGIN
  -- After a commit that is under way, so that the revision is the one that the lease begins with.
  PERFORM FROM fsmvoice_sessions s WHERE s.key = p_key FOR UPDATE;
  INSERT INTO fsmvoice_leases AS l (key, owner, until, fence)
    VALUES (p_key, p_owner, t + p_seconds * 1000, nextval('fsmvoice_fences'))
    ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, until = excluded.until, fence = excluded.fence
      WHERE l.until <= fsmvoice_now()
    RETURNING l.fence INTO taken;
  IF taken IS NOT NULL THEN
    RETURN QUERY SELECT taken, (SELECT s.revision FROM fsmvoice_sessions s WHERE s.key = p_key AND s.expires > t);
  END IF;
END
$$;

CREATE FUNCTION fsmvoice_overdue(p_machine text, p_limit integer, p_hold double precision)
RETURNS TABLE (keys text[], next_in double precision) LANGUAGE plpgsql AS $$
DECLARE
  t double precision := fsmvoice_now();
  named text[];
BEGIN
  UPDATE fsmvoice_sessions SET wake_at = NULL WHERE key IN (
    SELECT s.key FROM fsmvoice_sessions s WHERE s.machine = p_machine AND s.wake_at <= t AND s.expires <= t
    LIMIT 1000 FOR UPDATE SKIP LOCKED);
  WITH due AS (
    SELECT s.key FROM fsmvoice_sessions s WHERE s.machine = p_machine AND s.wake_at <= t AND s.expires > t
    ORDER BY s.wake_at LIMIT p_limit FOR UPDATE SKIP LOCKED
  ), hold AS (
    UPDATE fsmvoice_sessions s SET wake_at = t + p_hold * 1000 FROM due WHERE s.key = due.key RETURNING s.key
  )
  SELECT coalesce(array_agg(hold.key), '{}') INTO named FROM hold;
  RETURN QUERY SELECT named, (
    SELECT greatest(0, s.wake_at - t) FROM fsmvoice_sessions s
    WHERE s.machine = p_machine AND s.wake_at IS NOT NULL AND s.expires > t ORDER BY s.wake_at LIMIT 1);
END
$$;

CREATE FUNCTION fsmvoice_claim_service(p_key text, p_service text, p_owner text, p_seconds double precision)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  t double precision := fsmvoice_now();
  begun integer;
BEGIN
  PERFORM FROM fsmvoice_sessions WHERE key = p_key AND expires > t FOR UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  UPDATE fsmvoice_services SET owner = p_owner, until = t + p_seconds * 1000, times = times + 1
    WHERE key = p_key AND service = p_service AND until <= t RETURNING times INTO begun;
  IF begun IS NOT NULL THEN
    UPDATE fsmvoice_sessions SET wake_at = fsmvoice_due(p_key, timer_at) WHERE key = p_key;
  END IF;
  RETURN begun;
END
$$;

CREATE FUNCTION fsmvoice_extend_services(
  p_owner text, p_keys text[], p_services text[], p_seconds double precision
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  t double precision := fsmvoice_now();
BEGIN
  -- In the order of their keys, as everyone locks them.
  PERFORM FROM fsmvoice_sessions WHERE key = ANY (p_keys) ORDER BY key FOR UPDATE;
  UPDATE fsmvoice_services s SET until = CASE WHEN p_seconds IS NULL THEN 0 ELSE t + p_seconds * 1000 END
    FROM unnest(p_keys, p_services) AS g (key, service)
    WHERE s.key = g.key AND s.service = g.service AND s.owner = p_owner;
  UPDATE fsmvoice_sessions SET wake_at = fsmvoice_due(key, timer_at) WHERE key = ANY (p_keys);
END
$$;

CREATE FUNCTION fsmvoice_claim_effect(p_key text, p_seconds double precision)
RETURNS TABLE (id text, name text, arguments text, attempt integer) LANGUAGE plpgsql AS $$
DECLARE
  t double precision := fsmvoice_now();
BEGIN
  PERFORM FROM fsmvoice_sessions s WHERE s.key = p_key AND s.expires > t FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  RETURN QUERY UPDATE fsmvoice_effects e SET due = t + p_seconds * 1000, attempt = e.attempt + 1
    WHERE e.key = p_key AND e.due <= t AND e.position =
      (SELECT min(o.position) FROM fsmvoice_effects o WHERE o.key = p_key AND NOT o.dead)
    RETURNING e.id, e.name, e.arguments, e.attempt;
  UPDATE fsmvoice_sessions s SET wake_at = fsmvoice_due(p_key, s.timer_at) WHERE s.key = p_key;
END
$$;

-- It is done (no seconds), or is to be tried again in so many.
CREATE FUNCTION fsmvoice_settle_effect(
  p_key text, p_id text, p_attempt integer, p_seconds double precision, p_error text
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  t double precision := fsmvoice_now();
  oldest bigint;
BEGIN
  PERFORM FROM fsmvoice_sessions WHERE key = p_key FOR UPDATE;
  SELECT min(position) INTO oldest FROM fsmvoice_effects WHERE key = p_key AND NOT dead;
  IF p_seconds IS NULL THEN
    DELETE FROM fsmvoice_effects WHERE key = p_key AND position = oldest AND id = p_id;
  ELSE
    UPDATE fsmvoice_effects SET due = t + p_seconds * 1000, error = p_error
      WHERE key = p_key AND position = oldest AND id = p_id AND attempt = p_attempt;
  END IF;
  UPDATE fsmvoice_sessions SET wake_at = fsmvoice_due(p_key, timer_at) WHERE key = p_key;
END
$$;

-- Changes, for the other processes. It is no part of a commit: commits that notify wait for one another.
CREATE FUNCTION fsmvoice_tell(p_channel text, p_payloads text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM pg_notify(p_channel, p) FROM unnest(p_payloads) AS p;
END
$$;

CREATE FUNCTION fsmvoice_sweep(p_limit integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  t double precision := fsmvoice_now();
  gone text[];
BEGIN
  SELECT coalesce(array_agg(s.key), '{}') INTO gone FROM (
    SELECT key FROM fsmvoice_sessions WHERE forget_on <= floor(t / 3600000) AND expires <= t
    ORDER BY forget_on LIMIT p_limit FOR UPDATE SKIP LOCKED) s;
  DELETE FROM fsmvoice_events WHERE key = ANY (gone);
  DELETE FROM fsmvoice_answers WHERE key = ANY (gone);
  DELETE FROM fsmvoice_services WHERE key = ANY (gone);
  DELETE FROM fsmvoice_effects WHERE key = ANY (gone);
  DELETE FROM fsmvoice_sessions WHERE key = ANY (gone);
  DELETE FROM fsmvoice_leases l WHERE l.key IN (
    SELECT o.key FROM fsmvoice_leases o WHERE o.until < t - 86400000
      AND NOT EXISTS (SELECT FROM fsmvoice_sessions s WHERE s.key = o.key) LIMIT p_limit FOR UPDATE SKIP LOCKED);
  RETURN cardinality(gone);
END
$$;
