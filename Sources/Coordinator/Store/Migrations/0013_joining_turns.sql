-- Joining goes round between owners by turns of its own: it takes a coordinator's lane and no worker's slot.
ALTER TABLE owner ADD COLUMN joining_turn bigint NOT NULL DEFAULT 0;
