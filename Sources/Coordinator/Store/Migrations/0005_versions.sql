-- A task goes only to a worker that has its job's versions. Renderer and libraries in one word, as
-- Farm/Store/RenderVersions.swift writes them.
CREATE FUNCTION render_versions(renderer integer, libraries jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT 'renderer ' || renderer::text || coalesce(
        (
            SELECT string_agg(', ' || library.key || ' ' || library.value, '' ORDER BY library.key COLLATE "C")
            FROM jsonb_each_text(libraries) AS library
        ),
        ''
    )
$$;
ALTER TABLE worker ADD COLUMN versions text NOT NULL
    GENERATED ALWAYS AS (render_versions(renderer_version, libraries)) STORED;

-- NULL: whoever.
ALTER TABLE job ADD COLUMN versions text;
CREATE INDEX job_by_versions ON job (versions, id) WHERE state IN ('queued', 'rendering', 'stitching');

-- Those that a job's tasks name, which are all the same; NULL when they name none.
CREATE FUNCTION task_versions(uuid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN jsonb_typeof(said.task -> 'libraries') = 'object'
        THEN render_versions((said.task ->> 'rendererVersion')::integer, said.task -> 'libraries') END
    FROM task JOIN task_payload ON task_payload.task = task.id
    CROSS JOIN LATERAL (SELECT kind.value -> '_0' AS task FROM jsonb_each(task_payload.payload) AS kind) AS said
    WHERE task.job = $1 ORDER BY task.position LIMIT 1
$$;
UPDATE job SET versions = task_versions(id) WHERE state IN ('queued', 'rendering', 'stitching');

-- A coordinator of the version before inserts none: they are filled in when its transaction ends, with the tasks there.
CREATE FUNCTION take_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE job SET versions = said.versions FROM (SELECT task_versions(NEW.id) AS versions) AS said
    WHERE job.id = NEW.id AND job.versions IS NULL AND said.versions IS NOT NULL;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER job_versions AFTER INSERT ON job DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.versions IS NULL) EXECUTE FUNCTION take_versions();
