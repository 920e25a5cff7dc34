package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.core.segment.SegmentIdSource;
import io.idgen.text.SerialNumber;
import io.idgen.text.SerialNumberFormat;
import java.sql.Connection;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that people read, such as {@code INV-20261128-0000423}: they count from 1 in each period, and for each
 * tenant. A row of {@code idgen_counter} counts each period, named {@code invoice/20261128} or {@code
 * invoice/acme/20261128}.
 *
 * <pre>{@code
 * SerialNumbers invoices = SerialNumbers.of(counters, "invoice", "INV-{date:yyyyMMdd}-{number:6}{check}")
 *         .restart(SerialNumbers.Restart.DAY)
 *         .zone(ZoneId.of("Europe/Berlin"));
 * String number = invoices.next();                       // fast, with gaps
 * String next = invoices.next(connection);               // without gaps
 * }</pre>
 *
 * <p>{@link #next()} takes numbers ahead, as segments: unique, rising in each process, with gaps after a crash. {@link
 * #next(Connection)} takes one number in the transaction of the application. Use one of the two for a name.
 *
 * <p>The date and the row come from one reading of the database's clock, so a number of Monday never has Tuesday's
 * date, whatever the host's clock and zone are. Safe for many threads; the methods that return a copy change nothing.
 */
public final class SerialNumbers implements AutoCloseable {
    /** A takeover skips twice the reach: a quarter of the numbers of a period. */
    private static final int PARTS = 8;

    private final Counters given;
    private final String name;
    private final SerialNumberFormat format;
    private final Restart restart;
    private final ZoneId zone;
    private final String tenant;
    private final Shared shared;

    /** When numbers begin at 1 again. */
    public enum Restart {
        /** Each day. */
        DAY("yMd", "uuuuMMdd"),
        /** Each month. */
        MONTH("yM", "uuuuMM"),
        /** Each year. */
        YEAR("y", "uuuu"),
        /** Never. */
        NEVER("", "");

        private final String letters;
        private final DateTimeFormatter period;

        Restart(String letters, String period) {
            this.letters = letters;
            this.period = DateTimeFormatter.ofPattern(period, Locale.ROOT);
        }
    }

    private SerialNumbers(
            Counters given,
            String name,
            SerialNumberFormat format,
            Restart restart,
            ZoneId zone,
            String tenant,
            @Nullable Shared shared) {
        if (!format.hasDate(restart.letters)) {
            throw new IllegalArgumentException(
                    "numbers that restart each " + restart.name().toLowerCase(Locale.ROOT)
                            + " need its date in the format, or they repeat; the format is " + format
                            + "; add for example {date:yyyyMMdd}");
        }
        SegmentAllocator.checkName(row(name, tenant, restart, LocalDateTime.MIN.withYear(2000)));
        this.given = given;
        this.name = name;
        this.format = format;
        this.restart = restart;
        this.zone = zone;
        this.tenant = tenant;
        this.shared = shared == null
                ? new Shared(
                        given.forSerials(format.largestNumber(), PARTS), new Time(millis -> millis, System::nanoTime))
                : shared;
    }

    /**
     * Creates numbers that never restart, in UTC. Opens no connection.
     *
     * @param counters where to count: the database, its table and its timeouts. With {@link #next(Connection)}, the
     *     database of these connections
     * @param name the name of the numbers; the names of their rows begin with it
     * @param format see {@link SerialNumberFormat}
     * @return the numbers; close them after use
     * @throws IllegalArgumentException if the name or the format is not possible
     */
    public static SerialNumbers of(Counters counters, String name, String format) {
        return new SerialNumbers(
                counters, name, SerialNumberFormat.of(format), Restart.NEVER, ZoneOffset.UTC, "", null);
    }

    /**
     * Returns a copy whose numbers begin at 1 in each period.
     *
     * @param newRestart the format needs a date that tells these periods apart
     * @return the copy
     * @throws IllegalArgumentException if the format lacks the date
     */
    public SerialNumbers restart(Restart newRestart) {
        return new SerialNumbers(given, name, format, newRestart, zone, tenant, null);
    }

    /**
     * Returns a copy whose dates and periods are those of a time zone.
     *
     * @param newZone the same in all processes
     * @return the copy
     */
    public SerialNumbers zone(ZoneId newZone) {
        return new SerialNumbers(given, name, format, restart, Objects.requireNonNull(newZone), tenant, null);
    }

    /**
     * Returns the numbers of a tenant, which count by themselves. Closing these numbers closes those of all tenants.
     *
     * @param newTenant 1 to 40 letters, digits, hyphens and underscores
     * @return numbers that need no closing
     * @throws IllegalArgumentException if the tenant has other characters, or the names of its rows are too long
     */
    public SerialNumbers forTenant(String newTenant) {
        return new SerialNumbers(given, name, format, restart, zone, SerialNumberFormat.checkTenant(newTenant), shared);
    }

    /** Returns a copy with other clocks, for tests. */
    SerialNumbers on(Time time) {
        return new SerialNumbers(given, name, format, restart, zone, tenant, new Shared(shared.counters, time));
    }

    /**
     * The clocks.
     *
     * @param store changes what the database's clock shows, for tests
     * @param nanos this host's monotonic clock
     */
    record Time(LongUnaryOperator store, LongSupplier nanos) {}

    /**
     * Returns the next number, usually from memory. Blocks while the database is asked: for the first number of a
     * period, when the numbers in memory are used up, and each minute for its time.
     *
     * @return a text of the format
     * @throws IdGenerationException if no number can be taken, or all that fit the format are used in this period
     */
    public String next() {
        LocalDateTime now = local(shared.nowMillis());
        return text(now, shared.source(tenant, row(name, tenant, restart, now)).nextId());
    }

    /**
     * Takes the next number in a transaction. Other transactions that want a number of the same period wait until this
     * one ends; if it is rolled back, they get its number. So take the number last, just before the insert, and several
     * in the order of their names; otherwise two transactions can wait for each other, and the database ends one.
     *
     * @param transaction a connection to the database of the counters, with auto-commit off
     * @return a text of the format
     * @throws IllegalArgumentException if the connection has auto-commit on
     * @throws StoreUnavailableException if the database refuses because of a concurrent transaction, as under
     *     SERIALIZABLE, or does not answer: roll back and repeat the transaction
     * @throws AllocationException if all numbers that fit the format are used in this period
     */
    public String next(Connection transaction) {
        LocalDateTime now = local(shared.time.store.applyAsLong(shared.gapless.nowMillis(transaction)));
        return text(now, shared.gapless.take(transaction, row(name, tenant, restart, now), format.largestNumber()));
    }

    /**
     * Reads a number back, and verifies its check digit.
     *
     * @param number a text of the format
     * @return its fields
     * @throws IllegalArgumentException if it is not of the format, or the check digit is wrong
     */
    public SerialNumber parse(String number) {
        return format.parse(number);
    }

    private LocalDateTime local(long millis) {
        return LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), zone);
    }

    private String text(LocalDateTime now, long number) {
        return format.format(new SerialNumber(now, tenant.isEmpty() ? null : tenant, number));
    }

    private static String row(String name, String tenant, Restart restart, LocalDateTime now) {
        return name
                + (tenant.isEmpty() ? "" : "/" + tenant)
                + (restart == Restart.NEVER ? "" : "/" + restart.period.format(now));
    }

    /** Hands numbers that were taken ahead back, and closes what {@link #next()} keeps open. */
    @Override
    public void close() {
        shared.close();
    }

    /** What the numbers of all tenants share: the time of the database, and the open sources. */
    private static final class Shared {
        private static final long READ_AFTER_NANOS = TimeUnit.MINUTES.toNanos(1);

        private final Counters counters;
        private final GaplessCounter gapless;
        private final Time time;
        private final Map<String, Period> periods = new ConcurrentHashMap<>(); // by tenant
        private volatile @Nullable Reading reading;

        /** A period of a tenant, and the one before, which threads that read the time just before still use. */
        private record Period(
                String row,
                SegmentIdSource source,
                @Nullable Period before) {}

        private record Reading(long millis, long nanos) {
            long at(long nowNanos) {
                return millis + TimeUnit.NANOSECONDS.toMillis(nowNanos - nanos);
            }
        }

        Shared(Counters counters, Time time) {
            this.counters = counters;
            this.gapless = new GaplessCounter(counters);
            this.time = time;
        }

        /**
         * Returns the time of the database, read once a minute. In between, and while the database does not answer,
         * this host's monotonic clock carries it on.
         */
        long nowMillis() {
            Reading known = reading;
            long now = time.nanos.getAsLong();
            if (known != null && now - known.nanos < READ_AFTER_NANOS) {
                return known.at(now);
            }
            long millis;
            try {
                millis = time.store.applyAsLong(gapless.nowMillis());
            } catch (IdGenerationException e) {
                if (known == null) {
                    throw e;
                }
                millis = known.at(now); // and try again in a minute
            }
            reading = new Reading(millis, now);
            return millis;
        }

        IdSource source(String tenant, String row) {
            for (Period period = periods.get(tenant); period != null; period = period.before) {
                if (period.row.equals(row)) {
                    return period.source;
                }
            }
            return Objects.requireNonNull(periods.compute(tenant, (key, known) -> after(known, row))).source;
        }

        private Period after(@Nullable Period known, String row) {
            if (known == null || known.row.equals(row)) {
                return known == null ? new Period(row, new SegmentIdSource(counters, row), null) : known;
            }
            if (known.before != null) {
                known.before.source.close();
            }
            return new Period(row, new SegmentIdSource(counters, row), new Period(known.row, known.source, null));
        }

        void close() {
            periods.forEach((tenant, period) -> {
                period.source.close();
                if (period.before != null) {
                    period.before.source.close();
                }
            });
        }
    }
}
