-- The tasks of each owner that may wait for a part, so that offers go round between owners and cost no look at every
-- part.
CREATE INDEX task_waiting_of_owner ON task (owner, key) WHERE state = 'queued' AND key IS NOT NULL;
