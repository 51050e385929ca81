-- What a worker must have to be granted tasks of a job, as WorkerRequirement writes them, ascending; NULL for nothing. A
-- coordinator of the version before grants the tasks to any worker.
ALTER TABLE job ADD COLUMN requirements text[];
CREATE INDEX job_by_requirements ON job (requirements)
    WHERE requirements IS NOT NULL AND state IN ('queued', 'rendering', 'stitching');
ALTER TABLE worker ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
ALTER TABLE worker ADD COLUMN memory_bytes bigint;
