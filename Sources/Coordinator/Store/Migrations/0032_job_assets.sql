-- The digests that a job's documents name: what retention keeps for it. Searching the documents takes half a second a megabyte.
-- Jobs of coordinators of the version before have no row, and their documents are searched.
CREATE TABLE job_assets (
    job uuid PRIMARY KEY REFERENCES job_document ON DELETE CASCADE,
    -- As sha256: and hex, each once.
    digests text[] NOT NULL
);
INSERT INTO job_assets (job, digests)
SELECT job.id, ARRAY(
    SELECT DISTINCT found.match[1] FROM regexp_matches(
        encode(composition, 'escape') || ' ' || encode(plan, 'escape'), 'sha256:[0-9a-f]{64}', 'g'
    ) AS found (match)
) FROM job JOIN job_document ON job_document.job = job.id WHERE job.state IN ('queued', 'rendering', 'stitching');
