package io.idgen.redis;

import io.idgen.core.AllocationException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Examines the leases of a namespace in Redis and the settings of the server, and changes nothing. What is wrong with
 * the data is repaired by {@link RedisWorkerIds#mark}. Immutable and safe for many threads.
 */
public final class RedisDoctor {
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(1);

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
            fields.layout or 'none yet', text(rows), text(leased), text(reserved), text(foreign), text(highest)}
        """;

    private final RedisScripts scripts;
    private final InstantSource clock;
    private final RedisWorkerIds store;

    /**
     * The result of one examination.
     *
     * @param good whether no action is needed
     * @param subject what was examined, in one or two words
     * @param text what was found; if it is not good, also what to do
     */
    public record Finding(boolean good, String subject, String text) {}

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
     * Returns a copy for keys with another first word.
     *
     * @param newPrefix that of {@code idgen.redis.key-prefix}
     * @return a new doctor
     * @throws IllegalArgumentException if the prefix is blank or has a brace
     */
    public RedisDoctor withKeyPrefix(String newPrefix) {
        return new RedisDoctor(scripts, clock, store.withKeyPrefix(newPrefix));
    }

    /**
     * Runs all examinations. Blocks for one script, which reads all rows of the namespace.
     *
     * @param namespace the namespace of the worker ids
     * @return the findings
     * @throws AllocationException if Redis does not answer, or refuses
     */
    public List<Finding> examine(String namespace) {
        List<String> answer = scripts.run(EXAMINE, store.key(namespace), List.of());
        List<Finding> findings = new ArrayList<>();
        boolean primary = answer.get(1).equals("master");
        findings.add(new Finding(
                primary,
                "server",
                "Redis " + answer.get(0) + " at " + scripts + " is "
                        + (primary ? "a primary" : "a replica; name the primary, or Sentinels that know it")));
        findings.add(marker(namespace, !answer.get(7).isEmpty()));
        findings.add(durability(answer.get(2).equals("1")));
        findings.add(eviction(answer.get(3)));
        findings.add(replicas(answer.get(4), !answer.get(5).isEmpty()));
        findings.add(clocks(Instant.ofEpochMilli(Long.parseLong(answer.get(6)))));
        findings.add(workers(answer));
        return findings;
    }

    private Finding marker(String namespace, boolean there) {
        return new Finding(
                there,
                "marker",
                there
                        ? "namespace '" + namespace + "' has its incarnation marker"
                        : "namespace '" + namespace + "' has no incarnation marker, so no process leases a worker id;"
                                + " check that all processes use this Redis, and write one by RedisWorkerIds.mark");
    }

    private static Finding durability(boolean isAppended) {
        return new Finding(
                isAppended,
                "durability",
                isAppended
                        ? "Redis writes an append-only file, so the marker outlasts a restart"
                        : "Redis writes no append-only file: after a restart no process starts until an operator writes"
                                + " the marker again; set appendonly yes. Ids do not repeat either way");
    }

    private static Finding eviction(String policy) {
        boolean keeps = !policy.startsWith("allkeys");
        return new Finding(
                keeps,
                "eviction",
                "maxmemory-policy is " + policy
                        + (keeps
                                ? ", which evicts no key of the leases"
                                : ", which may evict the leases with the marker; set noeviction or a volatile policy"));
    }

    private static Finding replicas(String connected, boolean needsReplicas) {
        boolean alone = connected.equals("0");
        return new Finding(
                alone || needsReplicas,
                "replicas",
                connected + " replicas are connected"
                        + (alone || needsReplicas
                                ? ""
                                : ", and a primary that is cut off from them accepts writes, so it could grant what a"
                                        + " promoted replica grants too; set min-replicas-to-write 1"));
    }

    private Finding clocks(Instant time) {
        Duration difference = Duration.between(clock.instant(), time);
        boolean good = difference.abs().compareTo(CLOCK_TOLERANCE) <= 0;
        return new Finding(
                good,
                "clock",
                "the clock of Redis differs from this host's by " + difference.toMillis() + " ms"
                        + (good ? "" : "; check time synchronisation, since ids follow the clock of Redis"));
    }

    private static Finding workers(List<String> answer) {
        long rows = Long.parseLong(answer.get(9));
        long taken = Long.parseLong(answer.get(10)) + Long.parseLong(answer.get(11));
        long aheadMillis = Math.max(0, Long.parseLong(answer.get(13)) - Long.parseLong(answer.get(6)));
        boolean free = rows == 0 || taken < rows;
        return new Finding(
                free,
                "worker ids",
                "layout " + answer.get(8) + ": " + answer.get(10) + " leased, " + answer.get(11) + " reserved, "
                        + (rows - taken) + " free; " + answer.get(12) + " are advanced before they are leased, since"
                        + " another server granted them; the highest horizon is " + aheadMillis + " ms ahead"
                        + (free ? "" : "; end a process, or use a layout with more worker bits in a new namespace"));
    }
}
