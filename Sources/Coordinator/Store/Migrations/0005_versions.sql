-- What must render and join a job, in one word: a task goes first to a worker that has them. NULL: whoever.
ALTER TABLE job ADD COLUMN versions text;
