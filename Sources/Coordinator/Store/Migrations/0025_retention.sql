-- When the movie of a completed job was removed, because movies are kept for so long or up to so many bytes.
ALTER TABLE job ADD COLUMN output_removed_ms bigint;
CREATE INDEX job_with_output ON job (finished_ms DESC, id DESC) INCLUDE (artifact, byte_count)
    WHERE state = 'completed' AND output_removed_ms IS NULL;
-- When an asset was last asked for, to ten minutes. Of those that were there before it is the time of this step.
ALTER TABLE asset ADD COLUMN used_ms bigint;
UPDATE asset SET used_ms = farm_now();
ALTER TABLE asset ALTER COLUMN used_ms SET DEFAULT farm_now(), ALTER COLUMN used_ms SET NOT NULL;
CREATE INDEX asset_by_use ON asset (used_ms DESC, digest) WHERE path IS NULL;
