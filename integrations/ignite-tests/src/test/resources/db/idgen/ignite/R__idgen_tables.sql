-- The table that the race needs.
CREATE TABLE IF NOT EXISTS idgen_sequence (
    table_name VARCHAR(128) NOT NULL,
    next_id    BIGINT       NOT NULL,
    PRIMARY KEY (table_name)
) WITH "ATOMICITY=TRANSACTIONAL";
