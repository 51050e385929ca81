-- 32 random bytes that the first coordinator draws: sessions are signed with them, and an artifact folder is known by
-- them as this farm's.
CREATE TABLE farm_secret (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    bytes bytea NOT NULL CHECK (octet_length(bytes) = 32)
);
