package io.idgen.redis;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.core.lease.LeaseAdmin;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The rows of a namespace in Redis for the doctor and repairs. Each change is one script. */
final class RedisAdmin implements LeaseAdmin {
    private static final String YES = "1";
    private static final String NO = "0";
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
            local function seen(i)
              for j, name in ipairs({'fence', 'horizon', 'until', 'token'}) do
                if (fields[ARGV[i] .. ':' .. name] or (name == 'until' and '0' or '')) ~= ARGV[i + j] then return false end
              end
              return true
            end
            """;

    /** Returns facts about the server, the time, and the marker. */
    private static final String EXAMINE = FIELDS + """
            return {info('server', 'redis_version'), info('replication', 'role'), info('persistence', 'aof_enabled'),
                info('memory', 'maxmemory_policy'), info('replication', 'connected_slaves'),
                info('replication', 'min_slaves_good_slaves'), now, fields.incarnation or ''}
            """;

    /**
     * Returns the time, the marker, the layout, the longest window, and for each row its worker id and the values of
     * {@link #row}.
     */
    private static final String READ = FIELDS + """
            local me = (fields.incarnation or '') .. ' ' .. info('server', 'run_id') .. ' '
                .. info('replication', 'master_replid')
            local answer = {now, fields.incarnation or '', fields.layout or '', fields.window or '0'}
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
     * Arguments for each row: worker id, fence, horizon, end of the lease, token, new horizon, and whether it
     * forgets its server.
     */
    private static final String CHANGE = PRIMARY + """
            for i = 1, #ARGV, 7 do
              if not seen(i) then return {'0'} end
            end
            for i = 1, #ARGV, 7 do
              local id = ARGV[i] .. ':'
              redis.call('HSET', key, id .. 'fence', text(tonumber(ARGV[i + 1]) + 1), id .. 'horizon', ARGV[i + 5],
                  id .. 'until', '0')
              redis.call('HDEL', key, id .. 'token')
              if ARGV[i + 6] == '1' then redis.call('HDEL', key, id .. 'server') end
            end
            return {'1'}
            """;

    /** Arguments: worker id, fence, horizon, end of the lease and token of each row, from {@code first} on. */
    private static final String AS_SEEN = """
            local function allSeen(first)
              if #ids ~= (#ARGV - first + 1) / 5 then return false end
              for i = first, #ARGV, 5 do
                if not seen(i) then return false end
              end
              return true
            end
            """;

    /** Arguments: new marker, longest window, and worker id, fence, horizon, end of the lease and token of each row. */
    private static final String FORGET = PRIMARY + AS_SEEN + """
            if not allSeen(3) then return {'0'} end
            local window = text(math.max(tonumber(fields.window or '0'), tonumber(ARGV[2])))
            redis.call('HSET', key, 'incarnation', ARGV[1], 'window', window)
            return {'1'}
            """;

    /** Arguments: new layout, lowest horizon, and those of {@link #AS_SEEN}. */
    private static final String CHANGE_LAYOUT = PRIMARY + AS_SEEN + """
            if not allSeen(3) then return {'0'} end
            local lowest = tonumber(ARGV[2])
            redis.call('HSET', key, 'layout', ARGV[1], 'lowest', ARGV[2])
            for _, id in ipairs(ids) do
              redis.call('HSET', key, id .. ':fence', text(tonumber(fields[id .. ':fence']) + 1),
                  id .. ':horizon', text(math.max(tonumber(fields[id .. ':horizon']), lowest)))
            end
            return {'1'}
            """;

    private static final String REMOVE = PRIMARY + AS_SEEN + """
            if not allSeen(1) then return {'0'} end
            redis.call('DEL', key)
            return {'1'}
            """;

    private final RedisScripts scripts;
    private final RedisWorkerIds store;

    RedisAdmin(RedisScripts scripts, RedisWorkerIds store) {
        this.scripts = scripts;
        this.store = store;
    }

    @Override
    public List<Namespace> namespaces(String known) {
        List<String> answer = scripts.run(READ, store.key(known), List.of());
        long nowMillis = Long.parseLong(answer.get(0));
        String marker = answer.get(1);
        List<Worker> workers = new ArrayList<>();
        for (int i = 4; i < answer.size(); i += VALUES_OF_A_ROW) {
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
                Duration.ofMillis(Long.parseLong(answer.get(3))),
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

    private static List<String> seen(Worker worker) {
        RowState row = worker.row();
        return List.of(
                String.valueOf(worker.id()),
                String.valueOf(row.fence()),
                String.valueOf(row.horizonMillis()),
                String.valueOf(row.heldUntilMillis()),
                row.token() == null ? "" : row.token());
    }

    private boolean run(String script, String namespace, List<String> arguments) {
        return scripts.run(script, store.key(namespace), arguments).get(0).equals(YES);
    }

    @Override
    public void checkWritable(String known) {
        run(WRITABLE, known, List.of());
    }

    @Override
    public boolean change(List<Change> changes) {
        if (changes.isEmpty()) {
            return true;
        }
        String namespace = changes.get(0).namespace();
        List<String> arguments = new ArrayList<>();
        for (Change each : changes) {
            if (!each.namespace().equals(namespace)) {
                throw new IllegalArgumentException("Redis changes one namespace at a time, got '" + namespace
                        + "' and '" + each.namespace() + "'");
            }
            arguments.addAll(seen(each.seen()));
            arguments.add(String.valueOf(each.horizonMillis()));
            arguments.add(each.forgetsServer() ? YES : NO);
        }
        return run(CHANGE, namespace, arguments);
    }

    /** Runs a script with the arguments of {@link #AS_SEEN} for each row of a namespace behind its own. */
    private boolean runAsSeen(String script, Namespace seen, String... own) {
        List<String> arguments = new ArrayList<>(List.of(own));
        seen.workers().forEach(worker -> arguments.addAll(seen(worker)));
        return run(script, seen.name(), arguments);
    }

    /** Writes a new marker, as {@link RedisWorkerIds#mark} does. */
    @Override
    public boolean forgetServers(List<Namespace> seen, String marker, Duration longestWindow) {
        boolean all = true;
        for (Namespace each : seen) {
            all &= runAsSeen(FORGET, each, marker, String.valueOf(longestWindow.toMillis()));
        }
        return all;
    }

    @Override
    public boolean changeLayout(Namespace seen, SnowflakeLayout layout, long lowestMillis) {
        return runAsSeen(CHANGE_LAYOUT, seen, layout.toString(), String.valueOf(lowestMillis));
    }

    /** Deletes the key, with the marker of the namespace. */
    @Override
    public boolean remove(List<Namespace> seen) {
        boolean all = true;
        for (Namespace each : seen) {
            all &= runAsSeen(REMOVE, each);
        }
        return all;
    }

    @Override
    public List<Finding> findings(String known, InstantSource clock) {
        scripts.run("return {}", store.key(known), List.of()); // connects first: connecting would distort the times
        Instant before = clock.instant();
        List<String> answer = scripts.run(EXAMINE, store.key(known), List.of());
        Instant after = clock.instant();
        return List.of(
                server(answer),
                marker(known, !answer.get(7).isEmpty()),
                durability(answer.get(2).equals(YES)),
                eviction(answer.get(3)),
                replicas(answer.get(4), !answer.get(5).isEmpty()),
                Finding.ofClocks("that of Redis", Instant.ofEpochMilli(Long.parseLong(answer.get(6))), before, after));
    }

    private static Finding finding(boolean good, Level otherwise, String subject, String text) {
        return new Finding(good ? Level.OK : otherwise, subject, text);
    }

    private Finding server(List<String> answer) {
        boolean primary = answer.get(1).equals("master");
        return finding(
                primary,
                Level.WRONG,
                "server",
                "Redis " + answer.get(0) + " at " + scripts + " is "
                        + (primary ? "a primary" : "a replica; name the primary, or Sentinels that know it"));
    }

    private static Finding marker(String namespace, boolean there) {
        return finding(
                there,
                Level.WRONG,
                "marker",
                there
                        ? "namespace '" + namespace + "' has its incarnation marker"
                        : "namespace '" + namespace + "' has no incarnation marker, so no process leases a worker id;"
                                + " check that all processes use this Redis, then run idgen repair");
    }

    private static Finding durability(boolean isAppended) {
        return finding(
                isAppended,
                Level.WARN,
                "durability",
                isAppended
                        ? "Redis writes an append-only file, so the marker outlasts a restart"
                        : "Redis writes no append-only file: after a restart no process starts until an operator writes"
                                + " the marker again; set appendonly yes. Ids do not repeat either way");
    }

    private static Finding eviction(String policy) {
        boolean keeps = !policy.startsWith("allkeys");
        return finding(
                keeps,
                Level.WARN,
                "eviction",
                "maxmemory-policy is " + policy
                        + (keeps
                                ? ", which evicts no key of the leases"
                                : ", which may evict the leases with the marker; set noeviction or a volatile policy"));
    }

    private static Finding replicas(String connected, boolean needsReplicas) {
        boolean good = connected.equals("0") || needsReplicas;
        return finding(
                good,
                Level.WARN,
                "replicas",
                connected + " replicas are connected"
                        + (good
                                ? ""
                                : ", and a primary that is cut off from them accepts writes, so it could grant what a"
                                        + " promoted replica grants too; set min-replicas-to-write 1"));
    }

    @Override
    public String toString() {
        return "Redis at " + scripts;
    }
}
