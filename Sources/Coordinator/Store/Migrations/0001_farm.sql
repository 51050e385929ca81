-- The farm's tables. Times are whole milliseconds since 1970 by this server's clock (farm_now); digests are
-- 'sha256:' and 64 hex digits; states are words, held by CHECK constraints against the program's enums.

-- clock_timestamp() and not now(), which stands still in a transaction. Tests set cutfarm.now.
CREATE FUNCTION farm_now() RETURNS bigint LANGUAGE sql VOLATILE AS $$
    SELECT coalesce(
        nullif(current_setting('cutfarm.now', true), '')::bigint,
        floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
    )
$$;

-- One row. Whoever grants leases holds it, so that two coordinators never propose the same task; sweeps date it.
CREATE TABLE farm (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    swept_ms bigint
);
INSERT INTO farm DEFAULT VALUES;

CREATE TABLE job (
    id uuid PRIMARY KEY,
    owner text NOT NULL,
    idempotency_key text NOT NULL,
    title text NOT NULL,
    preset text NOT NULL,
    file_extension text NOT NULL,
    priority integer NOT NULL,
    frame_count bigint NOT NULL,
    rate_numerator bigint NOT NULL CHECK (rate_numerator > 0),
    rate_denominator bigint NOT NULL CHECK (rate_denominator > 0),
    created_ms bigint NOT NULL,
    state text NOT NULL
        CHECK (state IN ('queued', 'rendering', 'stitching', 'completed', 'failed', 'cancelled')),
    failure jsonb,
    finished_ms bigint,
    -- Tasks of each stage that are not completed.
    remaining integer[] NOT NULL,
    -- The only stage whose tasks may be granted.
    open_stage integer,
    artifact text,
    byte_count bigint,
    UNIQUE (owner, idempotency_key),
    CHECK ((state = 'completed') = (artifact IS NOT NULL)),
    CHECK ((state IN ('completed', 'failed', 'cancelled')) = (finished_ms IS NOT NULL))
);
CREATE INDEX job_by_state ON job (state, id DESC);

CREATE TABLE job_document (
    job uuid PRIMARY KEY REFERENCES job,
    composition bytea NOT NULL,
    plan bytea NOT NULL
);

CREATE TABLE task (
    id uuid PRIMARY KEY,
    job uuid NOT NULL REFERENCES job,
    position integer NOT NULL,
    kind text NOT NULL CHECK (kind IN ('picture', 'sound', 'stitch')),
    stage integer NOT NULL CHECK (stage >= 0),
    frame_start bigint,
    frame_count bigint CHECK (frame_count >= 0),
    start_border text,
    end_border text,
    key text,
    cost_ms bigint NOT NULL CHECK (cost_ms > 0),
    -- The job's priority, here for the queue's index.
    priority integer NOT NULL,
    -- The job's open stage is this task's.
    is_open boolean NOT NULL,
    state text NOT NULL CHECK (state IN ('queued', 'leased', 'completed', 'failed', 'cancelled')),
    not_before_ms bigint NOT NULL,
    failure jsonb,
    artifact text,
    byte_count bigint,
    unit_count bigint,
    statistics jsonb,
    UNIQUE (job, position),
    CHECK ((state = 'completed') = (artifact IS NOT NULL))
) WITH (fillfactor = 80);
-- The queue, in its order.
CREATE INDEX task_queue ON task (kind, priority DESC, job, cost_ms DESC, position)
    WHERE state = 'queued' AND is_open;
-- Counts and progress of a job without its rows.
CREATE INDEX task_progress ON task (job, state) INCLUDE (cost_ms);

-- Beside the row: it is large and never changes.
CREATE TABLE task_payload (
    task uuid PRIMARY KEY REFERENCES task,
    payload jsonb NOT NULL
);

CREATE TABLE worker (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    kinds text[] NOT NULL,
    slots integer NOT NULL,
    renderer_version integer NOT NULL,
    libraries jsonb NOT NULL,
    last_seen_ms bigint NOT NULL,
    is_draining boolean NOT NULL DEFAULT false,
    has_left boolean NOT NULL DEFAULT false,
    proven_failures integer NOT NULL DEFAULT 0
) WITH (fillfactor = 70);

-- Every try at every task, until its job is forgotten (0004). Its id is the fencing token.
CREATE TABLE attempt (
    id uuid PRIMARY KEY,
    -- The order of the grants: identifiers of one millisecond have none.
    number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    task uuid NOT NULL REFERENCES task,
    job uuid NOT NULL REFERENCES job,
    worker uuid NOT NULL REFERENCES worker,
    worker_name text NOT NULL,
    poll uuid NOT NULL,
    state text NOT NULL
        CHECK (state IN ('live', 'completed', 'failed', 'released', 'superseded', 'cancelled')),
    started_ms bigint NOT NULL,
    deadline_ms bigint NOT NULL,
    permille integer NOT NULL DEFAULT 0 CHECK (permille BETWEEN 0 AND 1000),
    ended_ms bigint,
    failure jsonb,
    CHECK ((state = 'live') = (ended_ms IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX attempt_of_task ON attempt (task);
CREATE INDEX attempt_of_job ON attempt (job, state);
CREATE INDEX attempt_of_worker ON attempt (worker, state);
CREATE INDEX attempt_of_poll ON attempt (poll);
-- A task is done once.
CREATE UNIQUE INDEX attempt_accepted ON attempt (task) WHERE state = 'completed';

-- One row for each live attempt: small, so that renewing and expiring touch nothing else.
CREATE TABLE lease (
    attempt uuid PRIMARY KEY REFERENCES attempt,
    task uuid NOT NULL,
    job uuid NOT NULL,
    worker uuid NOT NULL,
    until_ms bigint NOT NULL,
    deadline_ms bigint NOT NULL,
    permille integer NOT NULL DEFAULT 0 CHECK (permille BETWEEN 0 AND 1000),
    CHECK (until_ms <= deadline_ms)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
CREATE INDEX lease_of_task ON lease (task);
CREATE INDEX lease_of_job ON lease (job);
CREATE INDEX lease_of_worker ON lease (worker);

-- Numbers of events are taken under this row's lock, which lasts until COMMIT: they ascend in the order of commits.
CREATE TABLE event_sequence (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    last bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO event_sequence (last) VALUES (0);

CREATE TABLE event (
    sequence bigint PRIMARY KEY,
    job uuid NOT NULL REFERENCES job,
    task uuid,
    state text NOT NULL,
    at_ms bigint NOT NULL
);
CREATE INDEX event_of_job ON event (job, sequence);

CREATE TABLE asset (
    digest text PRIMARY KEY,
    record jsonb NOT NULL,
    path text
);
