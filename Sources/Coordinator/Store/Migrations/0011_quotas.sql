-- What an owner's unfinished jobs come to, for quotas. Rows of the version before count for nothing.
ALTER TABLE job ADD COLUMN task_count integer NOT NULL DEFAULT 0;
ALTER TABLE job ADD COLUMN document_bytes bigint NOT NULL DEFAULT 0;
CREATE INDEX job_unfinished ON job (owner) INCLUDE (task_count, document_bytes)
    WHERE state IN ('queued', 'rendering', 'stitching');
