-- Free slots go round between owners: the number of each owner's last turn, counted over all.
CREATE TABLE owner (
    name text PRIMARY KEY,
    turn bigint NOT NULL DEFAULT 0
);
-- A coordinator of the version before names no owners of tasks; together they count as one.
INSERT INTO owner (name) SELECT DISTINCT owner FROM job UNION SELECT '';

-- The job's owner, here for the queue's index.
ALTER TABLE task ADD COLUMN owner text NOT NULL DEFAULT '';
UPDATE task SET owner = job.owner FROM job WHERE job.id = task.job AND task.state NOT IN ('failed', 'cancelled');

-- The queue, in its order, owner by owner.
DROP INDEX task_queue;
CREATE INDEX task_queue ON task (owner, kind, priority DESC, job, stage, cost_ms DESC, position)
    WHERE state = 'queued' AND is_open;
