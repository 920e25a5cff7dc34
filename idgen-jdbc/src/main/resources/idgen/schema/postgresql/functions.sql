-- idgen on PostgreSQL: functions for triggers, scripts and other languages. They take ids from idgen_counter by the rules of
-- Counters. Run this as the owner of the table. Then, for each user: GRANT EXECUTE ON FUNCTION idgen_next(text) TO shop.
-- If idgen.jdbc.server-identity is set, write the server_id of the rows of Java, in quotes, in place of the expression of "server".

-- The functions run with the rights of their owner. So every name in them is of pg_catalog or has its schema, that of the table.
DO $script$
DECLARE
    home name;
    counter name;
    code text;
BEGIN
    SELECT nspname, relname INTO STRICT home, counter FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n
        ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
        WHERE c.oid OPERATOR(pg_catalog.=) 'idgen_counter'::pg_catalog.regclass::pg_catalog.oid;
    FOREACH code IN ARRAY ARRAY[$code$
    -- Returns the first of n ids in a row. The row of the source is locked until the transaction ends.
    CREATE OR REPLACE FUNCTION {range}(source text, n bigint) RETURNS bigint
        LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
        server text := ((SELECT system_identifier FROM pg_control_system())::text || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8));
        mark text := 'idgen.m' || encode(convert_to({literal}::regclass::oid || ' ' || source, 'UTF8'), 'hex');
        now_millis bigint;
        counter {table}%ROWTYPE;
    BEGIN
        IF n IS NULL OR n < 1 THEN
            RAISE EXCEPTION 'n must be at least 1, got %', n;
        END IF;
        SELECT * INTO counter FROM {table} WHERE name = source FOR UPDATE;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'IDGEN-404: no row for ''%'' in idgen_counter; insert it with a next_id above all ids in use', source;
        END IF;
        IF counter.next_id < 1 THEN
            RAISE EXCEPTION 'IDGEN-406: next_id of ''%'' in idgen_counter is %, and ids begin at 1; set it above all ids in use',
                source, counter.next_id;
        END IF;
        IF counter.instances <> 1 THEN
            RAISE EXCEPTION 'IDGEN-408: the row of ''%'' in idgen_counter is instance % of %; take its ids in Java', source,
                counter.instance, counter.instances;
        END IF;
        -- the highest number that a committed statement of this session has left in the row
        IF counter.next_id < coalesce(nullif(current_setting(mark, true), ''), '1')::bigint THEN
            RAISE EXCEPTION 'IDGEN-304: next_id of ''%'' in idgen_counter is %, and this session has raised it to %: the row was restored or'
                ' edited, or a prepared transaction was rolled back; stop all writers, and set next_id above all ids in use, at least to that',
                source, counter.next_id, current_setting(mark, true);
        END IF;
        IF counter.reach IS NULL THEN
            counter.reach := greatest(counter.step, 100000000); -- the row has granted nothing yet
        ELSIF counter.server_id IS DISTINCT FROM server THEN
            RAISE WARNING 'ids of ''%'' in idgen_counter go on at %: another server granted those below %', source,
                counter.next_id + 2 * counter.reach, counter.next_id;
            counter.next_id := counter.next_id + 2 * counter.reach;
        END IF;
        now_millis := floor(extract(epoch FROM clock_timestamp()) * 1000); -- after the wait for the row
        IF counter.win - now_millis NOT BETWEEN 1 AND 900000 THEN -- it has ended, or the clock was ahead and has come back
            counter.win := now_millis + 600000;
            counter.used := 0;
        END IF;
        IF n > counter.reach - counter.used THEN
            RAISE EXCEPTION 'IDGEN-307: ''%'' in idgen_counter grants % ids in ten minutes, its reach, and % of them are left', source,
                counter.reach, counter.reach - counter.used;
        END IF;
        IF counter.next_id > 9223372036854775807 - n THEN
            RAISE EXCEPTION 'IDGEN-305: all ids of ''%'' are used; next_id in idgen_counter is %', source, counter.next_id;
        END IF;
        UPDATE {table} SET next_id = counter.next_id + n, server_id = server, reach = counter.reach, win = counter.win,
            used = counter.used + n WHERE name = source;
        PERFORM set_config(mark, (counter.next_id + n)::text, false);
        IF current_setting('synchronous_commit') = 'off' THEN
            PERFORM set_config('synchronous_commit', 'local', true);
        END IF;
        RETURN counter.next_id;
    END
    $$
    $code$, $code$
    -- Returns an id. A transaction takes blocks of 1, 2, 4 and so on up to 1,000 ids and leaves the rest of the last one as a gap. The block
    -- is a setting of the transaction: a rollback, also to a savepoint, sets back both the block and the row.
    CREATE OR REPLACE FUNCTION {next}(source text) RETURNS bigint
        LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
        setting text := 'idgen.b' || encode(convert_to({literal}::regclass::oid || ' ' || source, 'UTF8'), 'hex');
        block bigint[] := nullif(current_setting(setting, true), '')::bigint[];
        id bigint := block[1];
        beyond bigint := block[2];
        size bigint := block[3];
    BEGIN
        IF id IS NULL OR id = beyond THEN
            size := least(coalesce(size * 2, 1), 1000);
            id := {range}(source, size);
            beyond := id + size;
        END IF;
        PERFORM set_config(setting, ARRAY[id + 1, beyond, size]::text, true);
        RETURN id;
    END
    $$
    $code$,
    'REVOKE ALL ON FUNCTION {range}(text, bigint), {next}(text) FROM PUBLIC'] LOOP
        code := pg_catalog.replace(code, '{table}', pg_catalog.format('%I.%I', home, counter));
        code := pg_catalog.replace(code, '{literal}', pg_catalog.quote_literal(pg_catalog.format('%I.%I', home, counter)));
        code := pg_catalog.replace(code, '{range}', pg_catalog.format('%I.%I', home, pg_catalog.regexp_replace(counter, 'counter$', 'next_range')));
        code := pg_catalog.replace(code, '{next}', pg_catalog.format('%I.%I', home, pg_catalog.regexp_replace(counter, 'counter$', 'next')));
        EXECUTE code;
    END LOOP;
END
$script$;
