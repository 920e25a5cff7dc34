-- idgen on HSQLDB.

-- Segments, one row per name: ids below max_id are given out, so max_id is the next one; step is the fewest taken at once.
CREATE TABLE IF NOT EXISTS idgen_segment (
    biz_tag     VARCHAR(128) NOT NULL,
    max_id      BIGINT       NOT NULL,
    step        INTEGER      NOT NULL,
    description VARCHAR(256),
    PRIMARY KEY (biz_tag)
);

-- Sequences, one row per name: next_id is the next id.
CREATE TABLE IF NOT EXISTS idgen_sequence (
    table_name VARCHAR(128) NOT NULL,
    next_id    BIGINT       NOT NULL,
    PRIMARY KEY (table_name)
);

-- Step increments, one row per name: next_id, below id_limit, is the next id of this instance of so many.
CREATE TABLE IF NOT EXISTS idgen_stepped (
    seq_name   VARCHAR(128) NOT NULL,
    generation INTEGER      NOT NULL,
    instance   INTEGER      NOT NULL,
    instances  INTEGER      NOT NULL,
    id_limit   BIGINT       NOT NULL,
    next_id    BIGINT       NOT NULL,
    PRIMARY KEY (seq_name, generation)
);
