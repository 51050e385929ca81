-- The last lines that were said about an attempt (Farm/Store/StoredLog.swift): a row that is rewritten while it runs.
CREATE TABLE attempt_log (
    attempt uuid PRIMARY KEY REFERENCES attempt ON DELETE CASCADE,
    dropped integer NOT NULL DEFAULT 0 CHECK (dropped >= 0),
    lines jsonb NOT NULL DEFAULT '[]',
    byte_count integer NOT NULL DEFAULT 0 CHECK (byte_count BETWEEN 0 AND 16384),
    written_ms bigint NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX attempt_log_age ON attempt_log (written_ms DESC, attempt DESC) INCLUDE (byte_count);
