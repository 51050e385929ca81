-- Tasks that may be granted from the first, whatever their stage. A coordinator of the version before inserts none, and
-- grants none before their stage.
ALTER TABLE task ADD COLUMN is_independent boolean NOT NULL DEFAULT false;

-- The queue, in its order: what later stages wait for goes first.
DROP INDEX task_queue;
CREATE INDEX task_queue ON task (kind, priority DESC, job, stage, cost_ms DESC, position)
    WHERE state = 'queued' AND is_open;
