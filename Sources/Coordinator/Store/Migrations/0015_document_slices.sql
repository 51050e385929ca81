-- Documents are read in slices. A value that is stored without compression gives a slice without reading the rest
-- (PostgreSQL manual §73.2, TOAST). Rows of the version before stay compressed: their slices only cost more.
ALTER TABLE job_document
    ALTER COLUMN composition SET STORAGE EXTERNAL,
    ALTER COLUMN plan SET STORAGE EXTERNAL;
