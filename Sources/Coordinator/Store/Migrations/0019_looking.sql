-- What people look at of a job costs the same however many tasks it has: its accepted parts from the first on, and its
-- completed attempts from the last back.
CREATE INDEX task_accepted ON task (job, kind, position) WHERE artifact IS NOT NULL;
CREATE INDEX attempt_by_end ON attempt (job, ended_ms DESC) WHERE state = 'completed';
