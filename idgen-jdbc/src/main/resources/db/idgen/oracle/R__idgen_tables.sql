-- idgen on Oracle (not run: written from its manual).

-- In the tables of counters below, server_id is the server that granted the last ids, and reach is how many ids of a row it
-- grants at most in ten minutes: the first statement on another server skips 2 * reach ids, which a takeover may have lost.
-- win is the end of the current ten minutes, in ms since 1970, and used is how many ids were granted in it.

-- Segments, one row per name: ids below max_id are given out, so max_id is the next one; step is the fewest taken at once.
CREATE TABLE idgen_segment (
    biz_tag     VARCHAR2(128) NOT NULL,
    max_id      NUMBER(19)    NOT NULL,
    step        NUMBER(10)    NOT NULL,
    description VARCHAR2(256),
    server_id   VARCHAR2(64),
    reach       NUMBER(19),
    win         NUMBER(19)    DEFAULT 0 NOT NULL,
    used        NUMBER(19)    DEFAULT 0 NOT NULL,
    PRIMARY KEY (biz_tag)
);

-- Sequences, one row per name: next_id is the next id.
CREATE TABLE idgen_sequence (
    table_name VARCHAR2(128) NOT NULL,
    next_id    NUMBER(19)    NOT NULL,
    server_id  VARCHAR2(64),
    reach      NUMBER(19),
    win        NUMBER(19)    DEFAULT 0 NOT NULL,
    used       NUMBER(19)    DEFAULT 0 NOT NULL,
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
    server_id  VARCHAR2(64),
    reach      NUMBER(19),
    win        NUMBER(19)    DEFAULT 0 NOT NULL,
    used       NUMBER(19)    DEFAULT 0 NOT NULL,
    PRIMARY KEY (seq_name, generation)
);

-- Worker ids, one row for each: ticks below the horizon are granted. Times are in ms since 1970, by this database's clock.
-- granted_from is the horizon before the last grant, and generation is how often the rows were healed after someone had set rows
-- back. The row of worker id -1 holds the layout of its namespace.
CREATE TABLE idgen_worker (
    namespace      VARCHAR2(64)  NOT NULL,
    worker_id      NUMBER(10)    NOT NULL,
    layout         VARCHAR2(120) NOT NULL,
    fence          NUMBER(19)    NOT NULL,
    owner_token    VARCHAR2(64),
    lease_until    NUMBER(19)    NOT NULL,
    horizon        NUMBER(19)    NOT NULL,
    longest_window NUMBER(19)    NOT NULL,
    generation     NUMBER(19)    DEFAULT 0 NOT NULL,
    granted_from   NUMBER(19)    DEFAULT 0 NOT NULL,
    server_id      VARCHAR2(64),
    owner_info     VARCHAR2(255),
    PRIMARY KEY (namespace, worker_id)
);

-- The worker ids of the default layout, and its row. They begin as granted by this server; rows that come later do not, and wait.
INSERT INTO idgen_worker (namespace, worker_id, layout, fence, lease_until, horizon, longest_window, server_id)
SELECT 'default', LEVEL - 2, '41-5-5-12 from 2024-01-01T00:00:00Z', 0, 0, 0, 0, SYS_CONTEXT('USERENV', 'DB_UNIQUE_NAME')
FROM DUAL
WHERE NOT EXISTS (SELECT 1 FROM idgen_worker WHERE namespace = 'default')
CONNECT BY LEVEL <= 1025;
