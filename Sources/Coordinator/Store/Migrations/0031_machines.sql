-- The machines that an audit found faulty when workers of the name ran on them: no other worker of them is granted anything
-- either. A coordinator of the version before blocks the name alone.
ALTER TABLE blocked_worker ADD COLUMN machines text[] NOT NULL DEFAULT '{}';
-- What of a faulty worker is being withdrawn: once its parts are forgotten nothing else may tell that it made them.
ALTER TABLE blocked_worker ADD COLUMN artifacts text[] NOT NULL DEFAULT '{}';
-- Messages that are being sent, and those that were given up, which are counted and sent again by webhook.
CREATE INDEX webhook_delivery_sent ON webhook_delivery (webhook) WHERE lease IS NOT NULL;
CREATE INDEX webhook_delivery_failed ON webhook_delivery (webhook) WHERE state = 'failed';
