package io.idgen.cli.leases;

import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.core.lease.LeaseAdmin;
import io.idgen.redis.RedisScripts;
import io.idgen.redis.RedisWorkerIds;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The rows of a namespace in Redis for the doctor and repairs. Each change is one script. */
public final class RedisAdmin implements LeaseAdmin {
    private static final String YES = "1";
    private static final int VALUES_OF_A_ROW = 7;

    private static final String FIELDS = """
            local key = KEYS[1]
            local function info(section, name)
              return string.match(redis.call('INFO', section), '[\\r\\n]' .. name .. ':([^\\r\\n]+)') or ''
            end
            local function text(number) return string.format('%.0f', number) end
            local time = redis.call('TIME')
            local now = text(time[1] * 1000 + math.floor(time[2] / 1000))
            local fields, ids, all = {}, {}, redis.call('HGETALL', key)
            for i = 1, #all, 2 do fields[all[i]] = all[i + 1] end
            for name in pairs(fields) do
              local id = string.match(name, '^(%d+):fence$')
              if id then ids[#ids + 1] = id end
            end
            """;

    /** Returns facts about the server, the time, and the marker. */
    private static final String EXAMINE = FIELDS + """
            return {info('server', 'redis_version'), info('replication', 'role'), info('persistence', 'aof_enabled'),
                info('memory', 'maxmemory_policy'), info('replication', 'connected_slaves'),
                info('replication', 'min_slaves_good_slaves'), now, fields.incarnation or ''}
            """;

    /**
     * Returns the time, the marker, the layout, and for each row its worker id and the values of {@link #row}.
     */
    private static final String READ = FIELDS + """
            local me = (fields.incarnation or '') .. ' ' .. info('server', 'run_id') .. ' '
                .. info('replication', 'master_replid')
            local answer = {now, fields.incarnation or '', fields.layout or ''}
            for _, id in ipairs(ids) do
              answer[#answer + 1] = id
              answer[#answer + 1] = fields[id .. ':fence']
              answer[#answer + 1] = fields[id .. ':horizon']
              answer[#answer + 1] = fields[id .. ':server'] == me and '1' or '0'
              answer[#answer + 1] = fields[id .. ':token'] or ''
              answer[#answer + 1] = fields[id .. ':until'] or '0'
              answer[#answer + 1] = fields[id .. ':owner'] or 'unknown'
            end
            return answer
            """;

    private static final String PRIMARY = """
            if string.find(redis.call('INFO', 'replication'), 'role:slave', 1, true) then
              return redis.error_reply('READONLY this is a replica')
            end
            """ + FIELDS;

    /**
     * Tries the commands of leases. Redis runs all checks of HSET: rights, replicas, memory and disk. Then it refuses
     * the command, because a field has no value. HDEL finds no field; it comes after HSET, because a script that has
     * begun to write may also fill the memory. HMGET and HGET only read.
     */
    private static final String WRITABLE = PRIMARY + """
            redis.call('HGET', key, 'incarnation')
            redis.call('HMGET', key, 'incarnation', 'layout')
            local answer = redis.pcall('HSET', key, 'field', 'value', 'field without a value')
            if type(answer) == 'table' and answer.err and not string.find(answer.err, 'wrong number of arguments', 1, true)
            then
              return answer
            end
            redis.call('HDEL', key, 'no such field')
            return {'1'}
            """;

    /**
     * Sets fields if the namespace has exactly the rows that were seen, as they were seen. Arguments: the number of
     * rows; worker id, fence, horizon, end of the lease and token of each row; and the fields, each before its value,
     * or before nothing to delete it. Without fields, deletes the namespace.
     */
    private static final String SET = PRIMARY + """
            local rows = tonumber(ARGV[1])
            local first = 2 + 5 * rows
            if rows ~= #ids then return {'0'} end
            for i = 2, first - 1, 5 do
              for j, name in ipairs({'fence', 'horizon', 'until', 'token'}) do
                if (fields[ARGV[i] .. ':' .. name] or (name == 'until' and '0' or '')) ~= ARGV[i + j] then return {'0'} end
              end
            end
            if first > #ARGV then redis.call('DEL', key) end
            for i = first, #ARGV, 2 do
              if ARGV[i + 1] == '' then redis.call('HDEL', key, ARGV[i])
              else redis.call('HSET', key, ARGV[i], ARGV[i + 1]) end
            end
            return {'1'}
            """;

    private final RedisScripts scripts;
    private final RedisWorkerIds store;

    /**
     * Creates access to the rows of a store. Sends nothing.
     *
     * @param scripts the connection of the store
     * @param store knows the keys
     */
    public RedisAdmin(RedisScripts scripts, RedisWorkerIds store) {
        this.scripts = scripts;
        this.store = store;
    }

    @Override
    public List<Namespace> namespaces(String known) {
        List<String> answer = scripts.run(READ, store.key(known), List.of());
        long nowMillis = Long.parseLong(answer.get(0));
        String marker = answer.get(1);
        List<Worker> workers = new ArrayList<>();
        for (int i = 3; i < answer.size(); i += VALUES_OF_A_ROW) {
            int id = Integer.parseInt(answer.get(i));
            workers.add(new Worker(id, row(nowMillis, answer.subList(i + 1, i + VALUES_OF_A_ROW))));
        }
        workers.sort(Comparator.comparingInt(Worker::id));
        return List.of(new Namespace(
                known,
                store.key(known),
                false,
                answer.get(2),
                marker.isEmpty() ? "no marker" : "marker " + marker,
                Instant.ofEpochMilli(nowMillis),
                workers));
    }

    /**
     * Returns the state of a row from its values: fence, horizon, whether this server wrote it, token, end of the
     * lease, and owner.
     */
    private static RowState row(long nowMillis, List<String> values) {
        String token = values.get(3);
        return new RowState(
                nowMillis,
                Long.parseLong(values.get(0)),
                Long.parseLong(values.get(1)),
                values.get(2).equals(YES),
                token.isEmpty() ? null : token,
                Long.parseLong(values.get(4)),
                values.get(5));
    }

    @Override
    public void checkWritable(String known) {
        scripts.run(WRITABLE, store.key(known), List.of());
    }

    /** Sets fields, each before its value, if all rows are as they were seen. */
    private boolean set(Namespace seen, List<Object> fields) {
        List<Object> arguments = new ArrayList<>(List.of(seen.workers().size()));
        for (Worker each : seen.workers()) {
            RowState row = each.row();
            String token = row.token() == null ? "" : row.token();
            arguments.addAll(List.of(each.id(), row.fence(), row.horizonMillis(), row.heldUntilMillis(), token));
        }
        arguments.addAll(fields);
        List<String> texts = arguments.stream().map(String::valueOf).toList();
        return scripts.run(SET, store.key(seen.name()), texts).get(0).equals(YES);
    }

    /** Writes a new marker, as {@link RedisWorkerIds#mark} does. */
    @Override
    public boolean forgetServers(List<Namespace> seen, String marker) {
        return seen.stream().allMatch(each -> set(each, List.of("incarnation", marker)));
    }

    /** To remove a namespace, deletes its key, with the marker. */
    @Override
    public boolean change(Namespace seen, String layout, List<Change> changes) {
        List<Object> fields = new ArrayList<>(layout.isEmpty() ? List.of() : List.of("layout", layout));
        for (Change each : changes) {
            String row = each.seen().id() + ":";
            fields.addAll(List.of(row + "fence", each.seen().row().fence() + 1, row + "horizon", each.horizonMillis()));
            fields.addAll(List.of(row + "until", 0, row + "token", ""));
            fields.addAll(each.forgetsServer() ? List.of(row + "server", "") : List.of());
        }
        return set(seen, fields);
    }

    @Override
    public List<Finding> findings(String known, InstantSource clock) {
        scripts.run("return {}", store.key(known), List.of()); // connects first: connecting would distort the times
        Instant before = clock.instant();
        List<String> answer = scripts.run(EXAMINE, store.key(known), List.of());
        Instant after = clock.instant();
        boolean isPrimary = answer.get(1).equals("master");
        boolean isMarked = !answer.get(7).isEmpty();
        boolean isDurable = answer.get(2).equals(YES);
        boolean isKept = !answer.get(3).startsWith("allkeys");
        boolean isCutOffNoticed = answer.get(4).equals("0") || !answer.get(5).isEmpty();
        return List.of(
                new Finding(
                        isPrimary ? Level.OK : Level.WRONG,
                        "server",
                        "Redis " + answer.get(0) + " at " + scripts + " is "
                                + (isPrimary ? "a primary" : "a replica; name the primary, or Sentinels that know it")),
                new Finding(
                        isMarked ? Level.OK : Level.WRONG,
                        "marker",
                        "namespace '" + known + "' has "
                                + (isMarked
                                        ? "its incarnation marker"
                                        : "no incarnation marker, so no process leases a worker id; check that all"
                                                + " processes use this Redis, then run idgen repair")),
                new Finding(
                        isDurable ? Level.OK : Level.WARN,
                        "durability",
                        isDurable
                                ? "Redis writes an append-only file, so the marker outlasts a restart"
                                : "Redis writes no append-only file: after a restart no process starts until an operator"
                                        + " writes the marker again; set appendonly yes. Ids do not repeat either way"),
                new Finding(
                        isKept ? Level.OK : Level.WARN,
                        "eviction",
                        "maxmemory-policy is " + answer.get(3)
                                + (isKept
                                        ? ", which evicts no key of the leases"
                                        : ", which may evict the leases with the marker; set noeviction or a volatile"
                                                + " policy")),
                new Finding(
                        isCutOffNoticed ? Level.OK : Level.WARN,
                        "replicas",
                        answer.get(4) + " replicas are connected"
                                + (isCutOffNoticed
                                        ? ""
                                        : ", and a primary that is cut off from them accepts writes, so it could grant"
                                                + " what a promoted replica grants too; set min-replicas-to-write 1")),
                Finding.ofClocks("that of Redis", Instant.ofEpochMilli(Long.parseLong(answer.get(6))), before, after));
    }

    @Override
    public String toString() {
        return "Redis at " + scripts;
    }
}
