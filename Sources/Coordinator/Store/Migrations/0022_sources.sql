-- Files elsewhere that are fetched as assets. `record` is the whole row as SourceRecord; what is asked for is beside it.
CREATE TABLE source (
    id text PRIMARY KEY,
    owner text NOT NULL,
    state text NOT NULL CHECK (state IN ('waiting', 'fetching', 'ready', 'failed')),
    -- When it may be claimed by whoever fetches it.
    due_ms bigint,
    touched_ms bigint NOT NULL,
    record jsonb NOT NULL,
    CHECK ((state IN ('waiting', 'fetching')) = (due_ms IS NOT NULL))
);
CREATE INDEX source_due ON source (due_ms, id) WHERE due_ms IS NOT NULL;
CREATE INDEX source_unfinished ON source (owner) WHERE due_ms IS NOT NULL;
CREATE INDEX source_finished ON source (touched_ms) WHERE due_ms IS NULL;
