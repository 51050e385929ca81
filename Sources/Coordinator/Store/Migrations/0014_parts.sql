-- Accepted artifacts by the key of the task that they were made for: later tasks of the key take them. A part is for one
-- text of versions, which is the job's.
CREATE TABLE part (
    key text NOT NULL,
    versions text NOT NULL,
    kind text NOT NULL,
    artifact text NOT NULL,
    byte_count bigint NOT NULL,
    unit_count bigint NOT NULL,
    statistics jsonb NOT NULL,
    -- Who made it. The worker's row may be gone.
    worker uuid NOT NULL,
    worker_name text NOT NULL,
    made_ms bigint NOT NULL,
    used_ms bigint NOT NULL,
    uses bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (key, versions)
);
CREATE INDEX part_by_artifact ON part (artifact);
CREATE INDEX part_by_use ON part (used_ms DESC, key, versions);

-- Completed by a part that was there, and not by an attempt.
ALTER TABLE task ADD COLUMN is_taken boolean NOT NULL DEFAULT false;
-- Who waits for a part, and who makes it.
CREATE INDEX task_waiting_for_part ON task (key) WHERE state = 'queued' AND key IS NOT NULL;
CREATE INDEX task_making_part ON task (key) WHERE state = 'leased' AND key IS NOT NULL;
DROP INDEX task_progress;
CREATE INDEX task_progress ON task (job, state) INCLUDE (cost_ms, is_taken);

-- The numbers of its tasks, as TaskCounts, and its progress, of a job whose tasks and documents are no longer kept. NULL
-- while they are.
ALTER TABLE job ADD COLUMN pruned_tasks jsonb;
ALTER TABLE job ADD COLUMN pruned_permille integer;
CREATE INDEX job_ended ON job (owner) INCLUDE (task_count, document_bytes)
    WHERE finished_ms IS NOT NULL AND pruned_tasks IS NULL;
