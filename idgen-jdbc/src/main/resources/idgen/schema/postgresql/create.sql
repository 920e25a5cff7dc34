-- idgen on PostgreSQL. One row per name; ids below max_id are given out, so max_id is the next one.
CREATE TABLE IF NOT EXISTS idgen_segment (
    biz_tag     varchar(128) NOT NULL PRIMARY KEY,
    max_id      bigint       NOT NULL,
    step        integer      NOT NULL,
    description varchar(256)
);
