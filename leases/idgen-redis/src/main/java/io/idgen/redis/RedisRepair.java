package io.idgen.redis;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.lease.LargestId;
import io.idgen.core.internal.lease.RowRules;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseStore.RowState;
import io.idgen.core.lease.NamespaceUse;
import io.idgen.core.lease.RepairReport;
import io.idgen.core.lease.RepairReport.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Sets worker ids in Redis above all ids that were generated, after Redis lost its data or a backup was restored. Also
 * lowers horizons that a wrong clock has left far ahead, and ends reservations. Stop all processes that generate ids
 * first; a repair fails while a worker id is leased. After a loss of all data it cannot see which processes run: those
 * continue in their windows, and then lease anew.
 *
 * <p>Each method does all or nothing. Immutable and safe for many threads.
 */
public final class RedisRepair {
    private static final int HOLDERS_NAMED = 3;
    private static final int VALUES_OF_A_HOLDER = 3;
    private static final long LEAST_GAP = NamespaceUse.gap(Duration.ZERO).toMillis();
    private static final long SKEW = LeaseStore.SERVER_SKEW.toMillis();
    private static final String HELD = "held";
    private static final String NO_MARKER = "no marker";

    /**
     * Argument: whether to write. Reads the fields of all rows, and defines the refusal if a process holds one of them.
     */
    private static final String PRELUDE = """
            local key, writes = KEYS[1], ARGV[1] == '1'
            if string.find(redis.call('INFO', 'replication'), 'role:slave', 1, true) then
              return redis.error_reply('READONLY this is a replica')
            end
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            local function text(number) return string.format('%.0f', number) end
            local fields, ids, highest, all = {}, {}, 0, redis.call('HGETALL', key)
            for i = 1, #all, 2 do fields[all[i]] = all[i + 1] end
            for name in pairs(fields) do
              local id = string.match(name, '^(%d+):fence$')
              if id then
                ids[#ids + 1] = id
                highest = math.max(highest, tonumber(fields[id .. ':horizon']))
              end
            end
            local function write(id, name, value)
              if not writes then return end
              if value == '' then redis.call('HDEL', key, id .. ':' .. name)
              else redis.call('HSET', key, id .. ':' .. name, value) end
            end
            local function refusal(wanted)
              local held = {'held'}
              for _, id in ipairs(wanted) do
                local ends = fields[id .. ':until'] or '0'
                if fields[id .. ':token'] and tonumber(ends) >= now then
                  for _, each in ipairs({id, ends, fields[id .. ':owner'] or 'unknown'}) do held[#held + 1] = each end
                end
              end
              return #held > 1 and held
            end
            local function free(id, horizon)
              write(id, 'fence', text(tonumber(fields[id .. ':fence']) + 1))
              write(id, 'horizon', horizon)
              write(id, 'token', '')
              write(id, 'until', '0')
            end
            """;

    /**
     * Arguments: new marker, longest window. Returns the time, the longest window, the former marker, the number of
     * rows, and the highest horizon.
     */
    private static final String RESTORE = PRELUDE + """
            local refused = refusal(ids)
            if refused then return refused end
            local window = text(math.max(tonumber(fields.window or '0'), tonumber(ARGV[3])))
            if writes then redis.call('HSET', key, 'incarnation', ARGV[2], 'window', window) end
            return {'1', text(now), window, fields.incarnation or '', text(#ids), text(highest)}
            """;

    /**
     * Arguments: layout, horizon, the least gap, the skew of servers. Lowers the horizons that no correct clock can
     * have granted. Removes the server from each of these rows, so that the row is advanced before it is leased.
     * Returns the time, the number of these rows, and the highest horizon.
     */
    private static final String LOWER = PRELUDE + """
            if fields.layout ~= ARGV[2] then return {'layout', fields.layout or 'none'} end
            local refused = refusal(ids)
            if refused then return refused end
            local gap = math.max(tonumber(ARGV[4]), tonumber(fields.window or '0') + tonumber(ARGV[5]))
            local far = {}
            for _, id in ipairs(ids) do
              if tonumber(fields[id .. ':horizon']) > now + gap then far[#far + 1] = id end
            end
            writes = writes and tonumber(ARGV[3]) <= now
            for _, id in ipairs(far) do
              free(id, ARGV[3])
              write(id, 'server', '')
            end
            return {'1', text(now), text(#far), text(highest)}
            """;

    /** Arguments: worker ids. Returns the time, the longest window, and five values for each reserved row. */
    private static final String RESERVED = PRELUDE + """
            local wanted = {}
            for i = 2, #ARGV do
              if fields[ARGV[i] .. ':reserved'] == '1' then wanted[#wanted + 1] = ARGV[i] end
            end
            local refused = refusal(wanted)
            if refused then return refused end
            local answer = {'1', text(now), fields.window or '0'}
            for _, id in ipairs(wanted) do
              for _, name in ipairs({'fence', 'horizon', 'until', 'token'}) do
                answer[#answer + 1] = fields[id .. ':' .. name] or ''
              end
              answer[#answer + 1] = id
            end
            return answer
            """;

    /** Arguments: a worker id, its fence and its new horizon, for each row. Changes all rows or none. */
    private static final String UNRESERVE = PRELUDE + """
            for i = 2, #ARGV, 3 do
              if fields[ARGV[i] .. ':fence'] ~= ARGV[i + 1] then return {'0'} end
            end
            for i = 2, #ARGV, 3 do
              free(ARGV[i], ARGV[i + 2])
              write(ARGV[i], 'reserved', '')
            end
            return {'1'}
            """;

    private final RedisScripts scripts;
    private final RedisWorkerIds store;
    private final boolean dryRun;

    /**
     * Creates a repair for keys that begin with {@value RedisWorkerIds#DEFAULT_KEY_PREFIX}. Opens no connection.
     *
     * @param scripts runs scripts; the caller closes it. An ACL user needs the command {@code HGETALL} too
     */
    public RedisRepair(RedisScripts scripts) {
        this(scripts, new RedisWorkerIds(scripts), false);
    }

    private RedisRepair(RedisScripts scripts, RedisWorkerIds store, boolean dryRun) {
        this.scripts = scripts;
        this.store = store;
        this.dryRun = dryRun;
    }

    /**
     * Returns a copy for keys with another prefix.
     *
     * @param newPrefix the value of {@code idgen.redis.key-prefix}
     * @return a new repair
     * @throws IllegalArgumentException if the prefix is blank or has a brace
     */
    public RedisRepair withKeyPrefix(String newPrefix) {
        return new RedisRepair(scripts, store.withKeyPrefix(newPrefix), dryRun);
    }

    /**
     * Returns a copy whose methods change nothing, and report what they would change. They fail in the same cases as
     * without a dry run.
     *
     * @return a new repair
     */
    public RedisRepair dryRun() {
        return new RedisRepair(scripts, store, true);
    }

    /**
     * Writes a new incarnation marker, as {@link RedisWorkerIds#mark} does, if no process holds a worker id. The next
     * lease of each worker id then begins above everything that can have been granted.
     *
     * @param namespace the namespace of the worker ids
     * @param longestWindow the longest {@code idgen.worker.window} that a process of the namespace ever had
     * @return the change
     * @throws AllocationException if a worker id is leased, or Redis does not answer or refuses; then nothing is
     *     changed
     */
    public RepairReport afterRestore(String namespace, Duration longestWindow) {
        String marker = UUID.randomUUID().toString();
        List<String> answer = run(RESTORE, namespace, marker, longestWindow.toMillis());
        Duration gap = NamespaceUse.gap(Duration.ofMillis(Long.parseLong(answer.get(2))));
        String former = answer.get(3);
        long highest = Long.parseLong(answer.get(5));
        long begin = Math.max(highest, Long.parseLong(answer.get(1)) + gap.toMillis());
        return report(List.of(new Change(
                store.key(namespace),
                answer.get(4) + " worker ids",
                (former.isEmpty() ? NO_MARKER : "marker " + former) + ", horizons up to " + time(highest),
                (dryRun ? "a new marker" : "marker " + marker) + ", ids begin at " + time(begin) + " or later")));
    }

    /**
     * Lowers the horizons that a wrong clock has left further ahead than a correct one can have granted, to just above
     * the largest id that exists. The next lease of these worker ids begins above all ticks that a correct clock can
     * have granted. All other worker ids stay as they are. Reserved worker ids stay reserved.
     *
     * @param namespace the namespace of the worker ids
     * @param layout the layout of the ids
     * @param largestId the largest id of the namespace in all tables
     * @return the change, if there is one
     * @throws AllocationException if a worker id is leased, the largest id is not above 0 or has a time in the future,
     *     the namespace has another layout, or Redis does not answer or refuses; then nothing is changed
     */
    public RepairReport lowerHorizons(String namespace, SnowflakeLayout layout, long largestId) {
        LargestId largest = LargestId.of(layout, largestId);
        List<String> answer = run(LOWER, namespace, layout, largest.end().toEpochMilli(), LEAST_GAP, SKEW);
        if (answer.get(0).equals("layout")) {
            throw new AllocationException(
                    ErrorCode.LAYOUT_MISMATCH,
                    "namespace '" + namespace + "' in Redis at " + scripts + " has no worker ids of layout " + layout
                            + ", its layout is " + answer.get(1) + "; name that layout, or the right namespace");
        }
        largest.refuseIfAfter(Instant.ofEpochMilli(Long.parseLong(answer.get(1))));
        return report(
                answer.get(2).equals("0")
                        ? List.of()
                        : List.of(new Change(
                                store.key(namespace),
                                answer.get(2) + " worker ids",
                                "horizons up to " + time(Long.parseLong(answer.get(3))),
                                "horizons at " + NamespaceUse.time(largest.end()))));
    }

    /**
     * Ends the reservation of worker ids, so that processes lease them again. Raises their horizons above all ids that
     * a process with such a worker id can have generated. Ignores worker ids that are not reserved.
     *
     * @param namespace the namespace of the worker ids
     * @param workerIds the worker ids as in the names of the fields, with the datacenter id in the upper bits
     * @return the changes, one for each worker id that was reserved
     * @throws AllocationException if a process holds one of them, or Redis does not answer or refuses; then nothing is
     *     changed
     */
    public RepairReport unreserve(String namespace, int... workerIds) {
        List<String> answer = run(
                RESERVED, namespace, Arrays.stream(workerIds).distinct().boxed().toArray());
        Duration gap = NamespaceUse.gap(Duration.ofMillis(Long.parseLong(answer.get(2))));
        List<Object> written = new ArrayList<>();
        List<Change> changes = new ArrayList<>();
        for (int i = 3; i < answer.size(); i += 5) {
            RowState row = reserved(Long.parseLong(answer.get(1)), answer.subList(i, i + 4));
            String workerId = answer.get(i + 4);
            long horizon = RowRules.freedMillis(row, gap);
            written.addAll(List.of(workerId, row.fence(), horizon));
            changes.add(new Change(
                    store.key(namespace),
                    "worker id " + workerId,
                    "reserved, horizon at " + time(row.horizonMillis()),
                    "free to lease, horizon at " + time(horizon)));
        }
        if (!run(UNRESERVE, namespace, written.toArray()).get(0).equals("1")) {
            throw new AllocationException(
                    ErrorCode.WORKER_ID_IN_USE,
                    "a process has just taken one of these worker ids of namespace '" + namespace + "' in Redis at "
                            + scripts + "; stop that process, and repair again");
        }
        return report(changes);
    }

    /** Returns a reserved row with these values of fence, horizon, until and token. */
    private static RowState reserved(long nowMillis, List<String> values) {
        return new RowState(
                nowMillis,
                Long.parseLong(values.get(0)),
                Long.parseLong(values.get(1)),
                true,
                true,
                values.get(3).isEmpty() ? null : values.get(3),
                Long.parseLong(values.get(2)),
                "");
    }

    private List<String> run(String script, String namespace, Object... arguments) {
        List<String> values = Stream.concat(Stream.of(dryRun ? "0" : "1"), Stream.of(arguments))
                .map(String::valueOf)
                .toList();
        List<String> answer = scripts.run(script, store.key(namespace), values);
        if (answer.get(0).equals(HELD)) {
            throw held(namespace, answer.subList(1, answer.size()));
        }
        return answer;
    }

    private AllocationException held(String namespace, List<String> values) {
        StringJoiner holders = new StringJoiner("; ");
        for (int i = 0; i < Math.min(values.size(), HOLDERS_NAMED * VALUES_OF_A_HOLDER); i += VALUES_OF_A_HOLDER) {
            holders.add("worker id " + values.get(i) + " by " + values.get(i + 2) + " until "
                    + time(Long.parseLong(values.get(i + 1))));
        }
        return new AllocationException(
                ErrorCode.NAMESPACE_IN_USE,
                values.size() / VALUES_OF_A_HOLDER + " worker ids of namespace '" + namespace + "' in Redis at "
                        + scripts + " are leased or held: " + holders
                        + "; stop these processes, or wait until then if they were killed, and repair again");
    }

    private RepairReport report(List<Change> changes) {
        return new RepairReport(dryRun, changes);
    }

    private static String time(long millis) {
        return NamespaceUse.time(Instant.ofEpochMilli(millis));
    }
}
