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
