-- Addresses that are told of events of jobs.
CREATE TABLE webhook (
    id uuid PRIMARY KEY,
    url text NOT NULL,
    owner text NOT NULL,
    -- Of which jobs: those that name it, all of its owner, all of the farm.
    jobs text NOT NULL CHECK (jobs IN ('named', 'own', 'all')),
    events text[] NOT NULL,
    -- The key of signatures, and the one before until its end.
    secret bytea NOT NULL CHECK (octet_length(secret) = 32),
    previous_secret bytea,
    previous_ends_ms bigint,
    created_ms bigint NOT NULL,
    removed_ms bigint
);
CREATE UNIQUE INDEX webhook_of_owner ON webhook (owner, url) WHERE removed_ms IS NULL;
CREATE INDEX webhook_of_farm ON webhook (id) WHERE removed_ms IS NULL AND jobs = 'all';

-- The address that a job names.
CREATE TABLE job_webhook (
    job uuid PRIMARY KEY REFERENCES job,
    webhook uuid NOT NULL REFERENCES webhook
);

-- What is to be sent, was sent, or was given up.
CREATE TABLE webhook_delivery (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    webhook uuid NOT NULL REFERENCES webhook,
    job uuid NOT NULL REFERENCES job,
    event_sequence bigint NOT NULL,
    type text NOT NULL,
    -- The same bytes at every attempt.
    body text NOT NULL,
    state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
    attempt_count integer NOT NULL DEFAULT 0,
    created_ms bigint NOT NULL,
    -- When it is tried next.
    next_ms bigint NOT NULL,
    -- Whoever sends it holds this lease; after its end another may.
    lease uuid,
    lease_until_ms bigint,
    last_status integer,
    last_error text,
    ended_ms bigint,
    UNIQUE (webhook, event_sequence),
    CHECK ((state = 'pending') = (ended_ms IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook, next_ms, number) WHERE state = 'pending';
CREATE INDEX webhook_delivery_ended ON webhook_delivery (ended_ms) WHERE ended_ms IS NOT NULL;

-- In the transaction of the event itself: what was committed is told, whichever coordinator wrote it, also one that does
-- not know of webhooks yet.
CREATE FUNCTION queue_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO webhook_delivery (webhook, job, event_sequence, type, body, state, created_ms, next_ms)
    SELECT webhook.id, job.id, NEW.sequence, 'job.' || NEW.state,
        jsonb_build_object(
            'type', 'job.' || NEW.state,
            'timestamp', to_char(to_timestamp(NEW.at_ms / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'data', jsonb_strip_nulls(jsonb_build_object(
                'job', 'job_' || job.id,
                'title', job.title,
                'owner', job.owner,
                'state', job.state,
                'code', job.failure ->> 'code',
                'message', left(job.failure ->> 'message', 2000),
                'byteCount', job.byte_count,
                'deadline',
                    to_char(to_timestamp(job.deadline_ms / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
            ))
        )::text,
        'pending', NEW.at_ms, NEW.at_ms
    FROM job JOIN webhook ON webhook.removed_ms IS NULL AND 'job.' || NEW.state = ANY (webhook.events) AND (
        webhook.jobs = 'all' OR webhook.jobs = 'own' AND webhook.owner = job.owner
        OR webhook.id = (SELECT job_webhook.webhook FROM job_webhook WHERE job_webhook.job = job.id)
    )
    WHERE job.id = NEW.job
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER event_webhooks AFTER INSERT ON event FOR EACH ROW
    WHEN (NEW.task IS NULL AND NEW.state IN ('completed', 'failed', 'cancelled', 'late'))
    EXECUTE FUNCTION queue_webhooks();
