-- Sound is measured by tasks too.
ALTER TABLE task DROP CONSTRAINT task_kind_check;
ALTER TABLE task ADD CONSTRAINT task_kind_check CHECK (kind IN ('picture', 'sound', 'stitch', 'stills', 'measure'));
