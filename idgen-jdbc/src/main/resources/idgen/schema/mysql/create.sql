-- idgen on MySQL.

-- Segments, one row per name: ids below max_id are given out, so max_id is the next one; step is the fewest taken at once.
CREATE TABLE IF NOT EXISTS idgen_segment (
    biz_tag     varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    max_id      bigint                                                 NOT NULL,
    step        int                                                    NOT NULL,
    description varchar(256),
    PRIMARY KEY (biz_tag)
) ENGINE = InnoDB;

-- Sequences, one row per name: next_id is the next id.
CREATE TABLE IF NOT EXISTS idgen_sequence (
    table_name varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    next_id    bigint                                                 NOT NULL,
    PRIMARY KEY (table_name)
) ENGINE = InnoDB;

-- Step increments, one row per name: next_id, below id_limit, is the next id of this instance of so many.
CREATE TABLE IF NOT EXISTS idgen_stepped (
    seq_name   varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    generation int                                                    NOT NULL,
    instance   int                                                    NOT NULL,
    instances  int                                                    NOT NULL,
    id_limit   bigint                                                 NOT NULL,
    next_id    bigint                                                 NOT NULL,
    PRIMARY KEY (seq_name, generation)
) ENGINE = InnoDB;
