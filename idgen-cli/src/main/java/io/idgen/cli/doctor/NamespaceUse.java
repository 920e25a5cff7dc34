package io.idgen.cli.doctor;

import static io.idgen.cli.doctor.Doctor.ok;
import static io.idgen.cli.doctor.Doctor.warn;
import static io.idgen.cli.doctor.Doctor.wrong;

import io.idgen.core.internal.lease.RowRules;
import io.idgen.core.internal.time.Defaults;
import io.idgen.core.internal.time.Durations;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.lease.Finding;
import io.idgen.core.lease.Finding.Level;
import io.idgen.core.lease.LeaseAdmin.Namespace;
import io.idgen.core.lease.LeaseAdmin.RowState;
import io.idgen.core.lease.LeaseAdmin.Worker;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.lease.LeaseTerms;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** Evaluates the worker ids of one namespace for a person on call. */
record NamespaceUse(Namespace namespace) {

    /** From this share of a range on, a finding is a warning. */
    static final double NEARLY_USED_UP = 0.8;

    /** How far ahead of the store's clock a horizon is at most: that of a row which was just fenced off. */
    static final Duration MOST_AHEAD = LeaseTerms.GAP.plus(LeaseStore.SERVER_SKEW);

    private static final Duration START_WAITS = Durations.parse(Defaults.WORKER_TIMEOUT);

    /** A layout, its epoch, and the times of leases. */
    private static final Pattern LAYOUT = Pattern.compile("(\\S+) from (\\S+?)(, .*)?");

    private static final String NEXT_LEASE = "next lease";

    /**
     * Returns what to know about leases, horizons, the end of the layout, and when a process that starts now can lease
     * a worker id.
     *
     * @param knowsServer whether the rows show which of them another server has granted
     */
    List<Finding> findings(boolean knowsServer) {
        if (namespace.workers().isEmpty()) {
            return List.of(ok("worker ids", namespace.name() + ": none yet; the first process creates the rows"));
        }
        List<Finding> findings = new ArrayList<>(List.of(leases(), horizons()));
        layout().map(this::end).ifPresent(findings::add);
        List<RowState> free =
                usable().stream().filter(row -> !RowRules.isAlive(row)).toList();
        if (knowsServer && !free.isEmpty()) {
            findings.add(next(free));
        }
        return findings;
    }

    /** Returns the furthest horizon: the end of all granted ticks. */
    static long furthestMillis(List<Worker> workers) {
        return workers.stream()
                .mapToLong(worker -> worker.row().horizonMillis())
                .max()
                .orElse(0);
    }

    private String name() {
        return namespace.name() + ", " + layout().map(SnowflakeLayout::toString).orElse(namespace.layout()) + ": ";
    }

    /** Returns the rows that processes can lease: a layout with few worker bits can have rows of an earlier layout. */
    private List<RowState> usable() {
        long most = layout().map(SnowflakeLayout::workers).orElse(Long.MAX_VALUE);
        return namespace.workers().stream()
                .filter(worker -> worker.id() < most)
                .map(Worker::row)
                .toList();
    }

    private Finding leases() {
        List<RowState> rows = usable();
        long leased = rows.stream().filter(RowRules::isAlive).count();
        long free = rows.size() - leased;
        String text = name() + leased + " of " + rows.size() + " leased, " + free + " free";
        if (free == 0) {
            return wrong(
                    "worker ids",
                    text
                            + "; the next process gets none: stop some processes, or choose a layout with more worker bits");
        }
        return leased < NEARLY_USED_UP * rows.size()
                ? ok("worker ids", text)
                : warn("worker ids", text + "; plan a layout with more worker bits before you start more processes");
    }

    private Finding horizons() {
        Instant horizon = Instant.ofEpochMilli(furthestMillis(namespace.workers()));
        Duration ahead = Duration.between(namespace.now(), horizon);
        if (ahead.isNegative() || ahead.isZero()) {
            return ok("horizons", name() + "all in the past");
        }
        String text = name() + "ticks are granted up to " + ahead.toSeconds() + " s ahead, until " + time(horizon);
        return ahead.compareTo(MOST_AHEAD) <= 0
                ? ok("horizons", text)
                : wrong(
                        "horizons",
                        text + ", but a correct clock grants at most " + MOST_AHEAD.toSeconds()
                                + " s; correct the store's clock, stop all processes, then run idgen repair horizons");
    }

    private Finding next(List<RowState> free) {
        long now = namespace.now().toEpochMilli();
        RowRules rules = new RowRules(layout().orElse(SnowflakeLayout.IDGEN));
        long[] leasable =
                free.stream().mapToLong(rules::leasableMillis).sorted().toArray();
        long ready = LongStream.of(leasable).filter(time -> time <= now).count();
        if (ready > 0) {
            return ok(NEXT_LEASE, name() + ready + " worker ids can be leased now");
        }
        Duration wait = Duration.ofMillis(leasable[0] - now);
        boolean inTime = wait.compareTo(START_WAITS) <= 0;
        return new Finding(
                inTime ? Level.OK : Level.WRONG,
                NEXT_LEASE,
                name() + "no worker id can be leased now; the next one in "
                        + Math.max(1, (wait.toMillis() + 500) / 1000) + " s, at " + time(leasable[0])
                        + (inTime
                                ? "; a process that starts now waits for it"
                                : ", because time is granted too far ahead; a process that starts before then fails after "
                                        + Defaults.WORKER_TIMEOUT
                                        + " (idgen.acquire-timeout); start processes then,"
                                        + " or raise that timeout. Running processes continue"));
    }

    /** Empty if the layout was written by a release that this one does not know. */
    Optional<SnowflakeLayout> layout() {
        Matcher layout = LAYOUT.matcher(namespace.layout());
        if (!layout.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    SnowflakeLayout.parse(layout.group(1)).withEpoch(SnowflakeLayout.parseEpoch(layout.group(2))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private Finding end(SnowflakeLayout known) {
        Instant end = known.end();
        Instant now = namespace.now();
        long millis = Duration.between(known.epoch(), end).toMillis();
        double used = (double) Duration.between(known.epoch(), now).toMillis() / millis;
        String text = String.format(
                Locale.ROOT, "%sends at %s, %.1f %% of its time is used", name(), end, 100 * Math.max(0, used));
        if (!now.isBefore(end)) {
            return wrong("layout", text + "; no id can be generated: move to a layout with a later end");
        }
        return now.isBefore(end.minus(Defaults.END_IN_SIGHT))
                ? ok("layout", text)
                : warn(
                        "layout",
                        text + ", " + ChronoUnit.DAYS.between(now, end)
                                + " days are left: plan the move to a layout with a later end");
    }

    /**
     * Returns a time as a person reads it, and as the store holds it.
     *
     * @param time a time
     * @return for example {@code 2026-11-22T06:48:17.382Z (1795330097382)}
     */
    static String time(Instant time) {
        return time + " (" + time.toEpochMilli() + ")";
    }

    static String time(long millis) {
        return time(Instant.ofEpochMilli(millis));
    }
}
