-- The queue, in its order, owner by owner: of a stage the job's first task goes first.
DROP INDEX task_queue;
CREATE INDEX task_queue ON task (owner, kind, priority DESC, job, stage, (position > 0), cost_ms DESC, position)
    WHERE state = 'queued' AND is_open;
-- What a worker finished last, without reading all that it ever finished.
CREATE INDEX attempt_by_worker_end ON attempt (worker, ended_ms DESC, id DESC) WHERE state = 'completed';
