-- Assets that clients send to the bucket in parts, each until a worker has read it back and probed it. Two owners who send
-- the same bytes have a row each.
CREATE TABLE bucket_upload (
    owner text NOT NULL,
    digest text NOT NULL,
    byte_count bigint NOT NULL CHECK (byte_count > 0),
    -- The object's name in the bucket, and the service's name of the upload.
    key text NOT NULL UNIQUE,
    upload text NOT NULL,
    state text NOT NULL CHECK (state IN ('sending', 'waiting', 'probing', 'refused')),
    touched_ms bigint NOT NULL,
    -- The grant of the worker that probes it, and until when that must be heard of.
    claim uuid UNIQUE,
    claimed_until_ms bigint,
    -- How often a worker that probed it failed or was not heard of.
    failures int NOT NULL DEFAULT 0,
    -- What its client is told of one that is no asset.
    problem jsonb,
    PRIMARY KEY (owner, digest),
    CHECK ((state = 'probing') = (claim IS NOT NULL) AND (state = 'probing') = (claimed_until_ms IS NOT NULL)),
    CHECK ((state = 'refused') = (problem IS NOT NULL))
);
CREATE INDEX bucket_upload_waiting ON bucket_upload (touched_ms, key) WHERE state IN ('waiting', 'probing');
-- When a worker that finds facts of a version last asked for something to probe.
CREATE TABLE prober (
    facts_version int PRIMARY KEY,
    seen_ms bigint NOT NULL
);
