-- Artifacts in a bucket: which object holds which bytes. A key is never used twice, so that removing an object that nothing
-- names can come late without harm.
CREATE TABLE stored_object (
    digest text PRIMARY KEY,
    key text NOT NULL UNIQUE,
    byte_count bigint NOT NULL CHECK (byte_count >= 0),
    -- Until when it stays although nothing refers to it: somebody who was told that it is here may be about to.
    kept_until_ms bigint NOT NULL
);
CREATE INDEX stored_object_kept ON stored_object (kept_until_ms, digest);
-- Where the farm's artifacts are: 'folder', or the bucket and the prefix. It never changes.
CREATE TABLE artifact_place (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    place text NOT NULL
);
-- A farm that has anything already has it in a folder.
INSERT INTO artifact_place (place) SELECT 'folder' WHERE EXISTS (SELECT FROM asset) OR EXISTS (SELECT FROM job);
-- Objects that no row names any more, until they are gone from the bucket.
CREATE TABLE unwanted_object (
    key text PRIMARY KEY,
    since_ms bigint NOT NULL
);
