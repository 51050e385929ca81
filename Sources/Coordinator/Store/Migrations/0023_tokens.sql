-- Tokens that were made by command, beside those of the coordinators' token files.
CREATE TABLE token (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    owner text NOT NULL,
    -- The scopes' names with commas between them.
    scopes text NOT NULL,
    created_ms bigint NOT NULL,
    created_by text NOT NULL,
    -- It is valid before; NULL is valid until it is revoked.
    expires_ms bigint,
    revoked_ms bigint,
    -- When it was last presented, to the minute.
    used_ms bigint
) WITH (fillfactor = 80);

-- What a token may be presented as: its newest secret, and those before it until their end. Of each only the digest is here.
CREATE TABLE token_secret (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token uuid NOT NULL REFERENCES token,
    digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32),
    -- It is valid before; NULL as long as the token.
    ends_ms bigint
);
CREATE INDEX token_secret_of_token ON token_secret (token);

-- Who did what with which token, for good.
CREATE TABLE token_log (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at_ms bigint NOT NULL,
    action text NOT NULL CHECK (action IN ('created', 'rotated', 'revoked', 'used', 'refused')),
    token uuid NOT NULL REFERENCES token,
    -- The owner who did it, and the token with which; NULL for a token of a token file.
    who text NOT NULL,
    with_token uuid REFERENCES token,
    -- The address from which a token was presented; empty for other actions.
    address text NOT NULL DEFAULT ''
);
CREATE INDEX token_log_of_token ON token_log (token, number DESC);
-- Uses are noted once for each token, address and day of UTC.
CREATE UNIQUE INDEX token_log_daily ON token_log (token, action, address, (at_ms / 86400000))
    WHERE action IN ('used', 'refused');
