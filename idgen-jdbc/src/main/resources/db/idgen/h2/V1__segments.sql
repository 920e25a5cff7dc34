-- idgen on H2. One row per name; ids below max_id are given out, so max_id is the next one.
CREATE TABLE IF NOT EXISTS idgen_segment (
    biz_tag     VARCHAR(128) NOT NULL PRIMARY KEY,
    max_id      BIGINT       NOT NULL,
    step        INT          NOT NULL,
    description VARCHAR(256)
);
