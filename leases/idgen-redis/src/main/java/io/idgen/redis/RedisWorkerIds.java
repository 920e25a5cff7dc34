package io.idgen.redis;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.lease.LeaseHolder;
import io.idgen.core.internal.time.Characters;
import io.idgen.core.internal.time.Names;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Worker ids leased from Redis. Lua scripts acquire and renew a lease, by the clock of Redis. They change a row only if
 * it has not changed since it was read.
 *
 * <p>Redis may lose writes that it has acknowledged: at a restart, and when a replica is promoted. Then {@code run_id}
 * or {@code master_replid} changes, and each row counts as granted by another server. Before a process leases such a
 * row, it advances the horizon above all that can have been lost. If all data is lost, the incarnation marker of the
 * namespace is lost too. Then no worker id is leased until an operator writes a new one: see {@link #mark}.
 *
 * <p>A process prefers the worker id that its host had last, if that one is free and can begin at once.
 *
 * <p>Immutable and safe for many threads. Each call is one script, and blocks until Redis answers.
 */
public final class RedisWorkerIds implements LeaseStore {

    /** The prefix of all keys if no other is given: {@value}. */
    public static final String DEFAULT_KEY_PREFIX = "idgen";

    private static final String UNMARKED = "unmarked";
    private static final String YES = "1";
    private static final String NONE = "";

    private final RedisScripts scripts;
    private final String keyPrefix;

    /** Where searches for a row begin: always the same, so that a process finds a row again that it has fenced off. */
    private final int beginning = ThreadLocalRandom.current().nextInt(Short.MAX_VALUE);

    /**
     * Creates a store for keys that begin with {@value #DEFAULT_KEY_PREFIX}. Opens no connection.
     *
     * @param scripts runs the scripts; the caller closes it
     */
    public RedisWorkerIds(RedisScripts scripts) {
        this(scripts, DEFAULT_KEY_PREFIX);
    }

    private RedisWorkerIds(RedisScripts scripts, String keyPrefix) {
        this.scripts = Objects.requireNonNull(scripts);
        this.keyPrefix = keyPrefix;
    }

    /**
     * Returns a copy for keys with another prefix.
     *
     * @param newPrefix the same in all processes; not blank, without braces
     * @return worker ids
     * @throws IllegalArgumentException if it is blank, has a brace or a control character, or more than 255 characters
     */
    public RedisWorkerIds withKeyPrefix(String newPrefix) {
        return new RedisWorkerIds(scripts, checkKeyPrefix(newPrefix));
    }

    /**
     * Checks a prefix of keys.
     *
     * @param prefix the prefix to check
     * @return the same prefix
     * @throws IllegalArgumentException if it is blank, has a brace or a control character, or more than 255 characters
     */
    public static String checkKeyPrefix(String prefix) {
        if (prefix.isBlank() || prefix.contains("{") || prefix.contains("}")) {
            throw new IllegalArgumentException(
                    "a key prefix is not blank and has no braces, which select the slot of a Redis Cluster, got '"
                            + Characters.line(prefix) + "'");
        }
        return Names.check("a key prefix", prefix, 255);
    }

    /**
     * Returns the key of a namespace. Its value is a hash with all rows.
     *
     * @param namespace the namespace
     * @return for example <code>idgen:{default}:workers</code>; the braces are the hash tag for a Redis Cluster
     */
    public String key(String namespace) {
        return keyPrefix + ":{" + namespace + "}:workers";
    }

    /**
     * Writes a new incarnation marker for a namespace: once before the first process starts, and after each loss or
     * restore of the data. From then on, each row counts as granted by another server. A process first advances it
     * above all ticks that may have been granted before. Running processes keep their windows, and then acquire new
     * leases.
     *
     * <p>Write it only on the Redis that all processes of the namespace use. The marker distinguishes that Redis from
     * an empty one.
     *
     * @param namespace the namespace
     * @return whether there was a marker before
     * @throws AllocationException if Redis does not answer, or refuses
     */
    public boolean mark(String namespace) {
        List<String> answer = scripts.run(
                LeaseScripts.MARK, key(namespace), List.of(UUID.randomUUID().toString()));
        return !answer.get(1).isEmpty();
    }

    private List<String> run(String script, LeaseTerms terms, Object... arguments) {
        List<String> values = Stream.concat(Stream.of(terms.layoutAndTimes()), Stream.of(arguments))
                .map(String::valueOf)
                .toList();
        List<String> answer = scripts.run(script, key(terms.namespace()), values);
        if (answer.get(0).equals("anonymous")) {
            throw new AllocationException(
                    ErrorCode.STATEMENT_REFUSED,
                    "Redis at " + scripts + " does not show its run_id and master_replid, so idgen cannot detect a"
                            + " restart or failover that loses leases; allow the user to run INFO, or lease worker ids"
                            + " from a database (idgen.worker.assigner=jdbc)");
        }
        return answer;
    }

    private boolean isChanged(String script, LeaseTerms terms, Object... arguments) {
        return run(script, terms, arguments).get(0).equals(YES);
    }

    /** Runs a script that changes the row of a lease if it is as this process knows it. */
    private boolean isChanged(String script, LeaseTerms terms, Lease lease, Object... arguments) {
        List<Object> all =
                new ArrayList<>(List.of(lease.workerId(), lease.fence(), lease.horizonMillis(), lease.token()));
        all.addAll(List.of(arguments));
        return isChanged(script, terms, all.toArray());
    }

    @Override
    public Candidates candidates(LeaseTerms terms, @Nullable String token) {
        List<Object> arguments =
                new ArrayList<>(List.of(terms.firstWorkerId(), terms.workers(), text(token), beginning));
        arguments.addAll(terms.excluded());
        List<String> answer = run(LeaseScripts.CANDIDATES, terms, arguments.toArray());
        switch (answer.get(0)) {
            case UNMARKED -> throw unmarked(terms);
            case "layout" -> throw terms.otherLayout("Redis at " + scripts, answer.get(1));
            default -> {
                List<Row> rows = new ArrayList<>();
                for (int i = 2; i < answer.size(); i += 5) {
                    rows.add(new Row(
                            Integer.parseInt(answer.get(i)),
                            Long.parseLong(answer.get(i + 1)),
                            Long.parseLong(answer.get(i + 2)),
                            answer.get(i + 3).equals(YES),
                            answer.get(i + 4).equals(YES),
                            0,
                            null));
                }
                return new Candidates(Long.parseLong(answer.get(1)), rows, rows.isEmpty() ? holders(terms) : "");
            }
        }
    }

    private AllocationException unmarked(LeaseTerms terms) {
        return new AllocationException(
                ErrorCode.INCARNATION_MISSING,
                "Redis at " + scripts + " has no incarnation marker for namespace '" + terms.namespace()
                        + "': it is new, has lost its data, or is not the Redis of the other processes. If all processes"
                        + " of the namespace use this Redis, write a new marker: redis-cli HSET '"
                        + key(terms.namespace()).replace("'", "'\\''") + "' incarnation " + UUID.randomUUID());
    }

    @Override
    public boolean acquire(LeaseTerms terms, Row row, @Nullable String token, Lease lease) {
        return isChanged(
                LeaseScripts.ACQUIRE,
                terms,
                row.workerId(),
                row.fence(),
                row.horizonMillis(),
                text(token),
                terms.window().toMillis(),
                terms.lease().toMillis(),
                lease.fence(),
                lease.token(),
                lease.horizonMillis(),
                LeaseHolder.THIS_PROCESS);
    }

    @Override
    public boolean fenceOff(LeaseTerms terms, Row row, long horizonMillis) {
        return isChanged(
                LeaseScripts.FENCE_OFF,
                terms,
                row.workerId(),
                row.fence(),
                row.horizonMillis(),
                row.fence() + 1,
                horizonMillis,
                terms.gapMillis());
    }

    @Override
    public Optional<LeaseView> look(LeaseTerms terms, Lease lease) {
        List<String> answer = run(LeaseScripts.LOOK, terms, lease.workerId(), lease.fence(), lease.token());
        return !answer.get(0).equals(YES)
                ? Optional.empty()
                : Optional.of(new LeaseView(
                        Long.parseLong(answer.get(1)),
                        answer.get(2).equals(YES),
                        Long.parseLong(answer.get(3)),
                        answer.get(4).equals(YES),
                        0,
                        false));
    }

    @Override
    public boolean extend(LeaseTerms terms, Lease lease, long horizonMillis) {
        return isChanged(
                LeaseScripts.EXTEND,
                terms,
                lease,
                horizonMillis,
                terms.window().toMillis(),
                terms.lease().toMillis());
    }

    @Override
    public boolean renew(LeaseTerms terms, Lease lease) {
        return isChanged(LeaseScripts.RENEW, terms, lease, terms.lease().toMillis());
    }

    @Override
    public boolean release(LeaseTerms terms, Lease lease, long horizonMillis) {
        return isChanged(LeaseScripts.RELEASE, terms, lease, horizonMillis);
    }

    private String holders(LeaseTerms terms) {
        List<String> answer = run(LeaseScripts.HOLDERS, terms, terms.firstWorkerId(), terms.workers());
        List<LeaseHolder> holders = new ArrayList<>();
        for (int i = 2; i < answer.size(); i += 3) {
            holders.add(new LeaseHolder(
                    Integer.parseInt(answer.get(i)), answer.get(i + 2), Long.parseLong(answer.get(i + 1))));
        }
        return LeaseHolder.text(holders.stream());
    }

    private static String text(@Nullable String token) {
        return token == null ? NONE : token;
    }

    @Override
    public String toString() {
        return "worker ids in Redis at " + scripts;
    }
}
