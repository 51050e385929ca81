-- The queue, in its order, owner by owner: of a stage the job's first task goes first.
DROP INDEX task_queue;
CREATE INDEX task_queue ON task (owner, kind, priority DESC, job, stage, (position > 0), cost_ms DESC, position)
    WHERE state = 'queued' AND is_open;
