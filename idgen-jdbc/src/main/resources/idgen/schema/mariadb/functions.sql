-- idgen on MariaDB: functions for triggers, scripts and other languages. They take ids from idgen_counter by the rules of
-- Counters. Run this with the client, as a user that owns the tables and is never dropped. If the binary log is on, set
-- log_bin_trust_function_creators=1 meanwhile. Then, for each user: GRANT EXECUTE ON FUNCTION idgen_next TO shop.
-- If idgen.jdbc.server-identity is set, write the server_id of the rows of Java, in quotes, in place of the expression of "server".
-- A server that is built without Galera has no @@wsrep_on: write FALSE in its place.

DELIMITER //

-- Returns the first of n ids in a row. The row of the source is locked until the transaction ends. The functions run with the rights
-- of the user that creates them, so they refuse a read-only server themselves.
CREATE OR REPLACE FUNCTION idgen_next_range(source varchar(128) CHARACTER SET utf8mb4, n bigint) RETURNS bigint
    NOT DETERMINISTIC MODIFIES SQL DATA SQL SECURITY DEFINER
BEGIN
    DECLARE by_start varchar(32) CHARACTER SET ascii DEFAULT LEFT(CONVERT(SHA2(CONCAT_WS('|', @@server_id, @@hostname, @@port, @@datadir, UUID_SHORT() DIV 16777216), 256) USING ascii), 32);
    DECLARE by_history varchar(32) CHARACTER SET ascii DEFAULT LEFT(CONVERT(SHA2(IF(@@innodb_flush_log_at_trx_commit = 1 AND (NOT @@log_bin OR @@sync_binlog = 1), CONCAT(CONCAT_WS('|', @@server_id, @@hostname, @@port, @@datadir, @@log_bin), '|', @@gtid_slave_pos), NULL), 256) USING ascii), 32);
    DECLARE server varchar(64) CHARACTER SET ascii DEFAULT COALESCE(CONVERT(SHA2(IF(@@global.wsrep_on, (SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'WSREP_CLUSTER_STATE_UUID' AND VARIABLE_VALUE RLIKE '[1-9a-f]'), NULL), 256) USING ascii), CONCAT(by_start, COALESCE(by_history, '')));
    DECLARE now_millis bigint DEFAULT (TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000);
    DECLARE first_id, its_reach, its_win, its_used, its_instances bigint;
    DECLARE its_server varchar(64) CHARACTER SET ascii;
    DECLARE problem varchar(128) CHARACTER SET utf8mb4;
    IF CAST(@@global.read_only AS char) NOT IN ('0', 'OFF') THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'idgen: this server is read-only';
    END IF;
    IF @@log_bin AND @@binlog_format = 'STATEMENT' THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'IDGEN-407: binlog_format=STATEMENT: a replica would take other ids; set ROW';
    END IF;
    SELECT next_id, COALESCE(reach, GREATEST(COALESCE(step, 0), 100000000)), IF(reach IS NULL, server, server_id), win, used, instances
        INTO first_id, its_reach, its_server, its_win, its_used, its_instances FROM idgen_counter WHERE name = source FOR UPDATE;
    IF first_id >= 1 AND NOT COALESCE(its_server = server OR LEFT(its_server, 32) = by_start OR SUBSTR(its_server, 33) = by_history, FALSE) THEN
        SET first_id = first_id + 2 * its_reach;
    END IF;
    IF its_win - now_millis NOT BETWEEN 1 AND 900000 THEN -- it has ended, or the clock was ahead and has come back
        SET its_win = now_millis + 600000, its_used = 0;
    END IF;
    SET problem = CASE
        WHEN n IS NULL OR n < 1 THEN 'n must be at least 1'
        WHEN first_id IS NULL THEN 'IDGEN-404: the name has no row in idgen_counter; insert it with a next_id above all ids in use'
        WHEN its_instances <> 1 THEN 'IDGEN-408: the row in idgen_counter is one of stepped; take its ids in Java'
        WHEN first_id < 1 THEN 'IDGEN-406: next_id in idgen_counter is below 1; set it above all ids in use'
        WHEN n > its_reach - its_used THEN 'IDGEN-307: the row in idgen_counter grants only its reach of ids in ten minutes'
        WHEN first_id > 9223372036854775807 - n THEN 'IDGEN-305: all ids of the row in idgen_counter are used'
    END;
    IF problem IS NOT NULL THEN
        SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = problem;
    END IF;
    UPDATE idgen_counter SET next_id = first_id + n, server_id = server, reach = its_reach, win = its_win, used = its_used + n
        WHERE name = source;
    RETURN first_id;
END//

-- Returns an id.
CREATE OR REPLACE FUNCTION idgen_next(source varchar(128) CHARACTER SET utf8mb4) RETURNS bigint
    NOT DETERMINISTIC MODIFIES SQL DATA SQL SECURITY DEFINER
BEGIN
    RETURN idgen_next_range(source, 1);
END//

DELIMITER ;
