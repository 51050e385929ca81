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
    -- When it was last heard of: from its client, or from the worker that probes it.
    touched_ms bigint NOT NULL,
    -- Since when all its parts are there.
    arrived_ms bigint,
    -- The grant of the worker that probes it, and until when that must be heard of.
    claim uuid UNIQUE,
    claimed_until_ms bigint,
    -- How often a worker that probed it was not heard of any more, and how often one could not read it.
    silences int NOT NULL DEFAULT 0,
    failures int NOT NULL DEFAULT 0,
    -- What its client is told of one that is no asset.
    problem jsonb,
    PRIMARY KEY (owner, digest),
    CHECK ((state = 'probing') = (claim IS NOT NULL) AND (state = 'probing') = (claimed_until_ms IS NOT NULL)),
    CHECK ((state = 'sending') = (arrived_ms IS NULL)),
    CHECK ((state = 'refused') = (problem IS NOT NULL))
);
CREATE INDEX bucket_upload_waiting ON bucket_upload (arrived_ms, key) WHERE state IN ('waiting', 'probing');
-- Uploads in parts that were begun and that nobody goes on with, until they are given up at the service.
CREATE TABLE unwanted_upload (
    key text PRIMARY KEY,
    upload text NOT NULL
);
-- What the workers that ask a coordinator for something to probe may take: when one last asked, and the most bytes.
CREATE TABLE prober (
    coordinator uuid PRIMARY KEY,
    facts_version int NOT NULL,
    byte_limit bigint NOT NULL,
    seen_ms bigint NOT NULL
);
