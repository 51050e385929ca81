-- The trace of a job, and what only the coordinator that took it knows of its beginning.
CREATE TABLE job_trace (
    job uuid PRIMARY KEY REFERENCES job,
    traceparent text NOT NULL,
    -- How long receiving, planning and storing took, and planning alone.
    submit_ms bigint NOT NULL,
    plan_ms bigint NOT NULL,
    -- The job's end, from which on a coordinator exports the trace once.
    ended_ms bigint,
    exported_ms bigint
);
CREATE INDEX job_trace_to_export ON job_trace (ended_ms) WHERE ended_ms IS NOT NULL AND exported_ms IS NULL;

-- A job that is retried ends again, and its trace is exported again, whole.
CREATE FUNCTION end_trace() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE job_trace SET ended_ms = NEW.at_ms, exported_ms = NULL WHERE job = NEW.job;
    RETURN NULL;
END
$$;
CREATE TRIGGER event_traces AFTER INSERT ON event FOR EACH ROW
    WHEN (NEW.task IS NULL AND NEW.state IN ('completed', 'failed', 'cancelled'))
    EXECUTE FUNCTION end_trace();
