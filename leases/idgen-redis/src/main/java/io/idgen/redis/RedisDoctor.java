package io.idgen.redis;

import io.idgen.core.AllocationException;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.core.lease.NamespaceUse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Examines the leases of a namespace in Redis and the settings of the server, and changes nothing. {@link RedisRepair}
 * repairs the data. Immutable and safe for many threads.
 */
public final class RedisDoctor {
    private static final String EXAMINE = """
        local key = KEYS[1]
        local function info(section, name)
          return string.match(redis.call('INFO', section), '[\\r\\n]' .. name .. ':([^\\r\\n]+)') or ''
        end
        local function text(number) return string.format('%.0f', number) end
        local time = redis.call('TIME')
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        local fields, all = {}, redis.call('HGETALL', key)
        for i = 1, #all, 2 do fields[all[i]] = all[i + 1] end
        local me = (fields.incarnation or '') .. ' ' .. info('server', 'run_id') .. ' '
            .. info('replication', 'master_replid')
        local rows, leased, reserved, foreign, highest = 0, 0, 0, 0, 0
        for name in pairs(fields) do
          local id = string.match(name, '^(%d+):fence$')
          if id then
            rows = rows + 1
            if fields[id .. ':reserved'] == '1' then reserved = reserved + 1
            elseif fields[id .. ':token'] and tonumber(fields[id .. ':until']) >= now then leased = leased + 1 end
            if fields[id .. ':server'] ~= me then foreign = foreign + 1 end
            highest = math.max(highest, tonumber(fields[id .. ':horizon']))
          end
        end
        return {info('server', 'redis_version'), info('replication', 'role'), info('persistence', 'aof_enabled'),
            info('memory', 'maxmemory_policy'), info('replication', 'connected_slaves'),
            info('replication', 'min_slaves_good_slaves'), text(now), fields.incarnation or '',
            fields.layout or '', text(rows), text(leased), text(reserved), text(foreign), text(highest),
            fields.window or '0'}
        """;

    private final RedisScripts scripts;
    private final InstantSource clock;
    private final RedisWorkerIds store;

    /**
     * Creates a doctor for one Redis. Opens no connection.
     *
     * @param scripts runs scripts; the caller closes it
     * @param clock this host's clock
     */
    public RedisDoctor(RedisScripts scripts, InstantSource clock) {
        this(scripts, clock, new RedisWorkerIds(scripts));
    }

    private RedisDoctor(RedisScripts scripts, InstantSource clock, RedisWorkerIds store) {
        this.scripts = scripts;
        this.clock = Objects.requireNonNull(clock);
        this.store = store;
    }

    /**
     * Returns a copy for keys with another prefix.
     *
     * @param newPrefix the value of {@code idgen.redis.key-prefix}
     * @return a new doctor
     * @throws IllegalArgumentException if the prefix is blank or has a brace
     */
    public RedisDoctor withKeyPrefix(String newPrefix) {
        return new RedisDoctor(scripts, clock, store.withKeyPrefix(newPrefix));
    }

    /**
     * Runs all examinations. Blocks for two scripts. One of them reads all rows of the namespace.
     *
     * @param namespace the namespace of the worker ids
     * @return the findings
     * @throws AllocationException if Redis does not answer, or refuses
     */
    public List<Finding> examine(String namespace) {
        scripts.run("return {}", store.key(namespace), List.of()); // connects first: connecting would distort the times
        Instant before = clock.instant();
        List<String> answer = scripts.run(EXAMINE, store.key(namespace), List.of());
        Instant after = clock.instant();
        Instant now = Instant.ofEpochMilli(Long.parseLong(answer.get(6)));
        List<Finding> findings = new ArrayList<>(List.of(
                server(answer),
                marker(namespace, !answer.get(7).isEmpty()),
                durability(answer.get(2).equals("1")),
                eviction(answer.get(3)),
                replicas(answer.get(4), !answer.get(5).isEmpty()),
                Finding.ofClocks("that of Redis", now, before, after)));
        findings.addAll(workers(namespace, answer, now));
        return findings;
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

    private static List<Finding> workers(String namespace, List<String> answer, Instant now) {
        long rows = Long.parseLong(answer.get(9));
        if (rows == 0) {
            return List.of(
                    new Finding(Level.OK, "worker ids", namespace + ": none yet; the first process creates the rows"));
        }
        List<Finding> findings = new ArrayList<>(new NamespaceUse(
                        namespace,
                        answer.get(8),
                        rows,
                        Long.parseLong(answer.get(10)),
                        Long.parseLong(answer.get(11)),
                        Instant.ofEpochMilli(Long.parseLong(answer.get(13))),
                        Duration.ofMillis(Long.parseLong(answer.get(14))),
                        now)
                .findings());
        findings.add(new Finding(
                Level.OK,
                "restarts",
                answer.get(12) + " of " + rows + " worker ids were granted before a restart, a promotion or a new"
                        + " marker, and are advanced before they are leased again"));
        return findings;
    }
}
