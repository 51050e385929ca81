-- The hours in which work of a job may begin, as JobWindow; NULL is always. A coordinator of the version before opens
-- tasks of a new stage although the window is closed, and keeps what it opened until the window has opened and closed.
ALTER TABLE job ADD COLUMN hours jsonb;
ALTER TABLE job ADD COLUMN is_outside_window boolean NOT NULL DEFAULT false;
-- When the window opens or closes next. A sweep follows it; until then nothing of the job is granted but its joining.
ALTER TABLE job ADD COLUMN window_change_ms bigint;
-- The jobs after which the job begins, and those of them that no sweep has seen completed.
ALTER TABLE job ADD COLUMN after_jobs uuid[] NOT NULL DEFAULT '{}';
ALTER TABLE job ADD COLUMN awaited_jobs uuid[] NOT NULL DEFAULT '{}';
CREATE INDEX job_awaiting ON job (id) INCLUDE (awaited_jobs, state) WHERE awaited_jobs <> '{}' AND pruned_tasks IS NULL;
CREATE INDEX job_by_window_change ON job (window_change_ms)
    WHERE window_change_ms IS NOT NULL AND state IN ('queued', 'rendering', 'stitching');
-- When the job should be completed, and whether an event has told that it misses that.
ALTER TABLE job ADD COLUMN deadline_ms bigint;
ALTER TABLE job ADD COLUMN is_late_told boolean NOT NULL DEFAULT false;
CREATE INDEX job_by_deadline ON job (deadline_ms, id)
    WHERE deadline_ms IS NOT NULL AND NOT is_late_told AND state IN ('queued', 'rendering', 'stitching');
