-- The digest of everything that was submitted under the idempotency key. NULL in rows of the version before, which compare
-- with nothing.
ALTER TABLE job ADD COLUMN submission text;

-- Sessions of the dashboard that somebody ended before their time, by the digest of their cookies. A coordinator of the
-- version before takes cookies of another signature, so it takes none of these.
CREATE TABLE ended_session (
    session text PRIMARY KEY,
    expires_ms bigint NOT NULL
);
CREATE INDEX ended_session_by_expiry ON ended_session (expires_ms);
