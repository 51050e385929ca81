-- What refers to stored bytes, so that what nothing refers to can be found and removed.
ALTER TABLE asset ADD COLUMN frame_indexes text[] NOT NULL DEFAULT '{}';
UPDATE asset SET frame_indexes = ARRAY(SELECT value FROM jsonb_each_text(record -> 'frameIndexes'));
CREATE INDEX asset_by_frame_index ON asset USING gin (frame_indexes);
CREATE INDEX job_by_artifact ON job (artifact) WHERE artifact IS NOT NULL;
CREATE INDEX task_by_artifact ON task (artifact) WHERE artifact IS NOT NULL;
