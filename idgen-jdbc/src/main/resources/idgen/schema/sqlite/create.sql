-- idgen on SQLite.

-- Segments, one row per name: ids below max_id are given out, so max_id is the next one; step is the fewest taken at once.
CREATE TABLE IF NOT EXISTS idgen_segment (
    biz_tag     varchar(128) NOT NULL,
    max_id      bigint       NOT NULL,
    step        integer      NOT NULL,
    description varchar(256),
    PRIMARY KEY (biz_tag)
);

-- Sequences, one row per name: next_id is the next id.
CREATE TABLE IF NOT EXISTS idgen_sequence (
    table_name varchar(128) NOT NULL,
    next_id    bigint       NOT NULL,
    PRIMARY KEY (table_name)
);

-- Step increments, one row per name: next_id, below id_limit, is the next id of this instance of so many.
CREATE TABLE IF NOT EXISTS idgen_stepped (
    seq_name   varchar(128) NOT NULL,
    generation integer      NOT NULL,
    instance   integer      NOT NULL,
    instances  integer      NOT NULL,
    id_limit   bigint       NOT NULL,
    next_id    bigint       NOT NULL,
    PRIMARY KEY (seq_name, generation)
);
