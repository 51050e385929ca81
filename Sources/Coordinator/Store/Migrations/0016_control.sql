-- Nothing new of the job is granted until somebody resumes it.
ALTER TABLE job ADD COLUMN is_paused boolean NOT NULL DEFAULT false;
-- The time from which the task's attempts count, because the job was retried then. NULL counts all.
ALTER TABLE task ADD COLUMN counted_from_ms bigint;
