-- idgen on PostgreSQL: functions for triggers, scripts and other languages. They take ids from idgen_segment by the rules of
-- SegmentTable. Run this as the owner of the table. Then, for each user: GRANT EXECUTE ON FUNCTION idgen_next(text) TO shop.
-- If idgen.jdbc.server-identity is set, write the server_id of the rows of Java, in quotes, in place of the expression of "server".

-- Returns the first of n ids in a row. The row of the source is locked until the transaction ends.
CREATE OR REPLACE FUNCTION idgen_next_range(source text, n bigint) RETURNS bigint
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
DECLARE
    server text := ((SELECT system_identifier FROM pg_control_system())::text || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8));
    mark text := 'idgen.m' || encode(convert_to('idgen_segment ' || source, 'UTF8'), 'hex');
    now_millis bigint;
    counter idgen_segment%ROWTYPE;
BEGIN
    IF n IS NULL OR n < 1 THEN
        RAISE EXCEPTION 'n must be at least 1, got %', n;
    END IF;
    SELECT * INTO counter FROM idgen_segment WHERE biz_tag = source FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'IDGEN-404: no row for ''%'' in idgen_segment; insert it with a max_id above all ids in use', source;
    END IF;
    IF counter.max_id < 1 THEN
        RAISE EXCEPTION 'IDGEN-406: max_id of ''%'' in idgen_segment is %, and ids begin at 1; set it above all ids in use',
            source, counter.max_id;
    END IF;
    -- the highest number that a committed statement of this session has left in the row
    IF counter.max_id < coalesce(nullif(current_setting(mark, true), ''), '1')::bigint THEN
        RAISE EXCEPTION 'IDGEN-304: max_id of ''%'' in idgen_segment is %, and this session has raised it to %: the row was restored or'
            ' edited, or a prepared transaction was rolled back; stop all writers, and set max_id above all ids in use, at least to that',
            source, counter.max_id, current_setting(mark, true);
    END IF;
    IF counter.reach IS NULL THEN
        counter.reach := greatest(counter.step, 1000000000); -- the row has granted nothing yet
    ELSIF counter.server_id IS DISTINCT FROM server THEN
        RAISE WARNING 'ids of ''%'' in idgen_segment go on at %: another server granted those below %', source,
            counter.max_id + 2 * counter.reach, counter.max_id;
        counter.max_id := counter.max_id + 2 * counter.reach;
    END IF;
    now_millis := floor(extract(epoch FROM clock_timestamp()) * 1000); -- after the wait for the row
    IF counter.win <= now_millis THEN
        counter.win := now_millis + 600000;
        counter.used := 0;
    END IF;
    IF n > counter.reach - counter.used THEN
        RAISE EXCEPTION 'IDGEN-307: ''%'' in idgen_segment grants % ids in ten minutes, its reach, and % of them are left', source,
            counter.reach, counter.reach - counter.used;
    END IF;
    IF counter.max_id > 9223372036854775807 - n THEN
        RAISE EXCEPTION 'IDGEN-305: all ids of ''%'' are used; max_id in idgen_segment is %', source, counter.max_id;
    END IF;
    UPDATE idgen_segment SET max_id = counter.max_id + n, server_id = server, reach = counter.reach, win = counter.win,
        used = counter.used + n WHERE biz_tag = source;
    PERFORM set_config(mark, (counter.max_id + n)::text, false);
    IF current_setting('synchronous_commit') = 'off' THEN
        PERFORM set_config('synchronous_commit', 'local', true);
    END IF;
    RETURN counter.max_id;
END
$$;

-- Returns an id. A transaction takes blocks of 1, 2, 4 and so on up to 1,000 ids and leaves the rest of the last one as a gap. The block
-- is a setting of the transaction: a rollback, also to a savepoint, sets back both the block and the row.
CREATE OR REPLACE FUNCTION idgen_next(source text) RETURNS bigint
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS $$
DECLARE
    setting text := 'idgen.b' || encode(convert_to('idgen_segment ' || source, 'UTF8'), 'hex');
    block bigint[] := nullif(current_setting(setting, true), '')::bigint[];
    id bigint := block[1];
    beyond bigint := block[2];
    size bigint := block[3];
BEGIN
    IF id IS NULL OR id = beyond THEN
        size := least(coalesce(size * 2, 1), 1000);
        id := idgen_next_range(source, size);
        beyond := id + size;
    END IF;
    PERFORM set_config(setting, ARRAY[id + 1, beyond, size]::text, true);
    RETURN id;
END
$$;

-- The functions run with the rights of their owner, and find the table in its schema, whatever the caller's search_path is.
DO $$
DECLARE
    home text := (SELECT relnamespace::regnamespace FROM pg_class WHERE oid = 'idgen_segment'::regclass);
BEGIN
    EXECUTE format('ALTER FUNCTION idgen_next_range(text, bigint) SET search_path = %s, pg_temp', home);
    EXECUTE format('ALTER FUNCTION idgen_next(text) SET search_path = %s, pg_temp', home);
    REVOKE ALL ON FUNCTION idgen_next_range(text, bigint), idgen_next(text) FROM PUBLIC;
END
$$;
