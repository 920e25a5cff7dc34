-- idgen on SQL Server (not run: written from its manual).

-- Segments, one row per name: ids below max_id are given out, so max_id is the next one; step is the fewest taken at once.
CREATE TABLE idgen_segment (
    biz_tag     nvarchar(128) COLLATE Latin1_General_BIN2 NOT NULL,
    max_id      bigint                                    NOT NULL,
    step        int                                       NOT NULL,
    description nvarchar(256),
    PRIMARY KEY (biz_tag)
);

-- Sequences, one row per name: next_id is the next id.
CREATE TABLE idgen_sequence (
    table_name nvarchar(128) COLLATE Latin1_General_BIN2 NOT NULL,
    next_id    bigint                                    NOT NULL,
    PRIMARY KEY (table_name)
);

-- Step increments, one row per name: next_id, below id_limit, is the next id of this instance of so many.
CREATE TABLE idgen_stepped (
    seq_name   nvarchar(128) COLLATE Latin1_General_BIN2 NOT NULL,
    generation int                                       NOT NULL,
    instance   int                                       NOT NULL,
    instances  int                                       NOT NULL,
    id_limit   bigint                                    NOT NULL,
    next_id    bigint                                    NOT NULL,
    PRIMARY KEY (seq_name, generation)
);
