-- idgen on Oracle (not run: written from its manual).

-- Segments, one row per name: ids below max_id are given out, so max_id is the next one; step is the fewest taken at once.
CREATE TABLE idgen_segment (
    biz_tag     VARCHAR2(128) NOT NULL,
    max_id      NUMBER(19)    NOT NULL,
    step        NUMBER(10)    NOT NULL,
    description VARCHAR2(256),
    PRIMARY KEY (biz_tag)
);

-- Sequences, one row per name: next_id is the next id.
CREATE TABLE idgen_sequence (
    table_name VARCHAR2(128) NOT NULL,
    next_id    NUMBER(19)    NOT NULL,
    PRIMARY KEY (table_name)
);

-- Step increments, one row per name: next_id, below id_limit, is the next id of this instance of so many.
CREATE TABLE idgen_stepped (
    seq_name   VARCHAR2(128) NOT NULL,
    generation NUMBER(10)    NOT NULL,
    instance   NUMBER(10)    NOT NULL,
    instances  NUMBER(10)    NOT NULL,
    id_limit   NUMBER(19)    NOT NULL,
    next_id    NUMBER(19)    NOT NULL,
    PRIMARY KEY (seq_name, generation)
);
