-- Events and attempts of jobs that ended long ago are removed; this says of which that is done.
ALTER TABLE job ADD COLUMN is_forgotten boolean NOT NULL DEFAULT false;
CREATE INDEX job_to_forget ON job (finished_ms) WHERE finished_ms IS NOT NULL AND NOT is_forgotten;
