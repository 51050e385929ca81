-- An attempt at an audited task has delivered, and another machine's decides.
ALTER TABLE attempt DROP CONSTRAINT attempt_state_check;
ALTER TABLE attempt ADD CONSTRAINT attempt_state_check
    CHECK (state IN ('live', 'completed', 'failed', 'released', 'superseded', 'cancelled', 'delivered'));

-- The share that is audited and what came of it, as JobAudit; NULL for a job that is not audited.
ALTER TABLE job ADD COLUMN audit jsonb;
ALTER TABLE task ADD COLUMN is_audited boolean NOT NULL DEFAULT false;
-- What machines have made of an audited task so far, as [PartClaim], and the identities of these machines; both NULL
-- where there is nothing.
ALTER TABLE task ADD COLUMN claims jsonb;
ALTER TABLE task ADD COLUMN witnesses text[];
CREATE INDEX task_auditing ON task (owner, kind, priority DESC, job)
    WHERE witnesses IS NOT NULL AND state IN ('queued', 'leased');

-- The machine that a worker runs on; NULL when it is not known.
ALTER TABLE worker ADD COLUMN machine text;
ALTER TABLE attempt ADD COLUMN machine text;
ALTER TABLE part ADD COLUMN machine text;

-- Names of workers that are granted nothing. is_faulty: an audit found the machine faulty, and what it made has still to
-- be withdrawn.
CREATE TABLE blocked_worker (
    name text PRIMARY KEY,
    reason text NOT NULL,
    since_ms bigint NOT NULL,
    is_faulty boolean NOT NULL DEFAULT false
);
