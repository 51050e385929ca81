-- Where a job's movie goes by itself ('name/folders/file' below an output folder); NULL leaves it to be fetched. A coordinator
-- of the version before knows nothing of it, and leaves the movie to be put there by one of this version.
ALTER TABLE job ADD COLUMN target text;
ALTER TABLE job ADD COLUMN replaces_target boolean NOT NULL DEFAULT false;
-- Since when it lies there, why it does not, and when that is tried again.
ALTER TABLE job ADD COLUMN delivered_ms bigint;
ALTER TABLE job ADD COLUMN delivery_problem text;
ALTER TABLE job ADD COLUMN delivery_due_ms bigint;
-- The jobs that claim their targets.
CREATE INDEX job_by_target ON job (target)
    WHERE target IS NOT NULL AND delivered_ms IS NULL AND state NOT IN ('failed', 'cancelled');
CREATE INDEX job_by_delivery ON job (coalesce(delivery_due_ms, 0), id)
    WHERE target IS NOT NULL AND delivered_ms IS NULL AND state = 'completed';
-- What ended in a period, for reports.
CREATE INDEX job_by_end ON job (finished_ms, id) WHERE finished_ms IS NOT NULL;
