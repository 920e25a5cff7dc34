-- idgen on MariaDB.

-- Counters, one row per name: next_id is the next id that nobody has. step is the fewest ids that segments take at once; null lets
-- each process decide. In rows of stepped, instance of so many instances has every n-th id. server_id is the server that granted the
-- last ids, and reach is how many it grants at most in ten minutes: the first statement on another server skips 2 * reach ids, which a
-- takeover may have lost. win is the end of the current ten minutes, in ms since 1970, and used is how many ids were granted in it.
CREATE TABLE IF NOT EXISTS idgen_counter (
    name        varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    next_id     bigint                                                 NOT NULL,
    step        int,
    instance    int                                                    DEFAULT 1 NOT NULL,
    instances   int                                                    DEFAULT 1 NOT NULL,
    server_id   varchar(64) CHARACTER SET ascii,
    reach       bigint,
    win         bigint                                                 DEFAULT 0 NOT NULL,
    used        bigint                                                 DEFAULT 0 NOT NULL,
    description varchar(256) CHARACTER SET utf8mb4,
    PRIMARY KEY (name)
) ENGINE = InnoDB;

-- Worker ids, one row for each: ticks below the horizon are granted. Times are in ms since 1970, by this database's clock.
-- granted_from is the horizon before the last grant, and generation is how often the rows were healed after someone had set rows
-- back. All rows of a namespace have one layout, with the times of leases; the row of worker id -1 holds it for rows that come later.
CREATE TABLE IF NOT EXISTS idgen_worker (
    namespace      VARCHAR(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    worker_id      INT          NOT NULL,
    layout         VARCHAR(120) CHARACTER SET ascii NOT NULL,
    fence          BIGINT       NOT NULL,
    owner_token    VARCHAR(64) CHARACTER SET ascii,
    lease_until    BIGINT       NOT NULL,
    horizon        BIGINT       NOT NULL,
    generation     BIGINT       DEFAULT 0 NOT NULL,
    granted_from   BIGINT       DEFAULT 0 NOT NULL,
    server_id      VARCHAR(64) CHARACTER SET ascii,
    owner_info     VARCHAR(255) CHARACTER SET utf8mb4,
    PRIMARY KEY (namespace, worker_id)
) ENGINE = InnoDB;

-- The worker ids of the default layout, and its row. They begin as granted by this server; rows that come later do not, and wait.
INSERT INTO idgen_worker (namespace, worker_id, layout, fence, lease_until, horizon, server_id)
WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 31)
SELECT 'default', n, '41-5-5-12 from 2024-01-01T00:00:00Z, lease 30 s, window 3 min, renewal 10 s', 0, 0, 0, CONVERT(SHA2(COALESCE((SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'WSREP_CLUSTER_STATE_UUID' AND VARIABLE_VALUE RLIKE '[1-9a-f]'), CONCAT_WS('|', @@server_id, @@hostname, @@port, @@datadir, IF(@@innodb_flush_log_at_trx_commit = 1 AND (NOT @@log_bin OR @@sync_binlog = 1), NULL, (SELECT UNIX_TIMESTAMP() - VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'UPTIME')))), 256) USING ascii)
FROM (SELECT a.n * 32 + b.n AS n FROM numbers a CROSS JOIN numbers b UNION ALL SELECT -1) AS workers
WHERE NOT EXISTS (SELECT 1 FROM idgen_worker WHERE namespace = 'default');
