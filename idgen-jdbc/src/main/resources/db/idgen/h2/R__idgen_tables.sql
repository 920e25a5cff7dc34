-- idgen on H2.

-- Counters, one row per name: next_id is the next id that nobody has. step is the fewest ids that segments take at once; null lets
-- each process decide. In rows of stepped, instance of so many instances has every n-th id. server_id is the server that granted the
-- last ids, and reach is how many it grants at most in ten minutes: the first statement on another server skips 2 * reach ids, which a
-- takeover may have lost. win is the end of the current ten minutes, in ms since 1970, and used is how many ids were granted in it.
CREATE TABLE IF NOT EXISTS idgen_counter (
    name        VARCHAR(128) NOT NULL,
    next_id     BIGINT       NOT NULL,
    step        INT,
    instance    INT          DEFAULT 1 NOT NULL,
    instances   INT          DEFAULT 1 NOT NULL,
    server_id   VARCHAR(64),
    reach       BIGINT,
    win         BIGINT       DEFAULT 0 NOT NULL,
    used        BIGINT       DEFAULT 0 NOT NULL,
    description VARCHAR(256),
    PRIMARY KEY (name)
);

-- Worker ids, one row for each: ticks below the horizon are granted. Times are in ms since 1970, by this database's clock.
-- granted_from is the horizon before the last grant, and generation is how often the rows were healed after someone had set rows
-- back. All rows of a namespace have one layout, with the times of leases; the row of worker id -1 holds it for rows that come later.
CREATE TABLE IF NOT EXISTS idgen_worker (
    namespace      VARCHAR(64)  NOT NULL,
    worker_id      INTEGER      NOT NULL,
    layout         VARCHAR(120) NOT NULL,
    fence          BIGINT       NOT NULL,
    owner_token    VARCHAR(64),
    lease_until    BIGINT       NOT NULL,
    horizon        BIGINT       NOT NULL,
    generation     BIGINT       DEFAULT 0 NOT NULL,
    granted_from   BIGINT       DEFAULT 0 NOT NULL,
    server_id      VARCHAR(64),
    owner_info     VARCHAR(255),
    PRIMARY KEY (namespace, worker_id)
);

-- The worker ids of the default layout, and its row. They begin as granted by this server; rows that come later do not, and wait.
INSERT INTO idgen_worker (namespace, worker_id, layout, fence, lease_until, horizon, server_id)
SELECT 'default', n, '41-5-5-12 from 2024-01-01T00:00:00Z, lease 30 s, window 3 min, renewal 10 s', 0, 0, 0, '-'
FROM SYSTEM_RANGE(-1, 1023) AS numbers(n)
WHERE NOT EXISTS (SELECT 1 FROM idgen_worker WHERE namespace = 'default');
