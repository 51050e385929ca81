-- What is copied from sources and not encoded, for people. NULL where nothing is to be copied, and in rows of the version
-- before.
ALTER TABLE job ADD COLUMN copying jsonb;
ALTER TABLE task ADD COLUMN copied_count bigint CHECK (copied_count >= 0);
