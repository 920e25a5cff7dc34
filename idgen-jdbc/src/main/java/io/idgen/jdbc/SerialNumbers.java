package io.idgen.jdbc;

import io.idgen.core.AllocationException;
import io.idgen.core.IdGenerationException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.text.SerialNumber;
import io.idgen.text.SerialNumberFormat;
import java.sql.Connection;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Objects;

/**
 * Numbers that people read, such as {@code INV-20261128-0000423}: they count from 1 in each period, and for each
 * tenant. A row of {@code idgen_counter} counts each period, named {@code invoice/20261128} or {@code
 * invoice/acme/20261128}; without periods, {@code invoice/}.
 *
 * <pre>{@code
 * SerialNumbers invoices = SerialNumbers.of(counters, "invoice", "INV-{date:yyyyMMdd}-{number:6}{check}")
 *         .restart(SerialNumbers.Restart.DAY)
 *         .zone(ZoneId.of("Europe/Berlin"));
 * String number = invoices.next();                       // fast, with gaps
 * String next = invoices.next(connection);               // without gaps
 * }</pre>
 *
 * <p>{@link #next()} takes numbers ahead, as segments: unique, rising in each process, with gaps after a crash. In ten
 * minutes, it takes at most an eighth of the numbers that fit the format. {@link
 * #next(Connection)} takes one number in the transaction of the application. Use one of the two for a name.
 *
 * <p>The date and the row come from one reading of the database's clock, so a number of Monday never has Tuesday's
 * date, whatever the host's clock and zone are. Safe for many threads; the methods that return a copy change nothing.
 */
public final class SerialNumbers implements AutoCloseable {
    /** A takeover skips twice the reach: a quarter of the numbers of a period. */
    private static final int PARTS = 8;

    private final String name;
    private final SerialNumberFormat format;
    private final Restart restart;
    private final ZoneId zone;
    private final String tenant;
    private final SerialCounters counters;

    /** When numbers begin at 1 again. */
    public enum Restart {
        /** Each day. */
        DAY("yyyyMMdd"),
        /** Each month. */
        MONTH("yyyyMM"),
        /** Each year. */
        YEAR("yyyy"),
        /** Never. */
        NEVER("");

        private final String pattern;
        private final DateTimeFormatter period;

        Restart(String pattern) {
            this.pattern = pattern;
            this.period = DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
        }
    }

    private SerialNumbers(
            String name,
            SerialNumberFormat format,
            Restart restart,
            ZoneId zone,
            String tenant,
            SerialCounters counters) {
        this.name = name;
        this.format = format;
        this.restart = restart;
        this.zone = Objects.requireNonNull(zone);
        this.tenant = tenant;
        this.counters = counters;
        if (!format.hasDate(restart.pattern)) {
            throw new IllegalArgumentException(
                    "numbers that restart each " + restart.name().toLowerCase(Locale.ROOT)
                            + " need its date in the format, or they repeat; the format is " + format
                            + "; add for example {date:yyyyMMdd}");
        }
        SegmentAllocator.checkName(row(LocalDateTime.MIN.withYear(2000)));
    }

    /**
     * Creates numbers that never restart, in UTC. Opens no connection.
     *
     * @param counters where to count: the database, its table and its timeouts. With {@link #next(Connection)}, the
     *     database of these connections
     * @param name the name of the numbers; the names of their rows begin with it and a slash
     * @param format see {@link SerialNumberFormat}
     * @return the numbers; close them after use
     * @throws IllegalArgumentException if the name is empty, too long or has a slash, or the format is not possible
     */
    public static SerialNumbers of(Counters counters, String name, String format) {
        if (name.isEmpty() || name.contains("/")) {
            throw new IllegalArgumentException("a name of numbers is not empty and has no slash, got '" + name + "'");
        }
        SerialNumberFormat parsed = SerialNumberFormat.of(format);
        return new SerialNumbers(
                name,
                parsed,
                Restart.NEVER,
                ZoneOffset.UTC,
                "",
                new SerialCounters(
                        counters.forSerials(parsed.largestNumber(), PARTS),
                        new SerialCounters.Time(millis -> millis, System::nanoTime)));
    }

    /**
     * Returns a copy whose numbers begin at 1 in each period.
     *
     * @param newRestart the format needs a date that tells these periods apart
     * @return the copy
     * @throws IllegalArgumentException if the format lacks the date
     */
    public SerialNumbers restart(Restart newRestart) {
        return new SerialNumbers(name, format, newRestart, zone, tenant, counters.with(counters.time));
    }

    /**
     * Returns a copy whose dates and periods are those of a time zone.
     *
     * @param newZone the same in all processes
     * @return the copy
     */
    public SerialNumbers zone(ZoneId newZone) {
        return new SerialNumbers(name, format, restart, newZone, tenant, counters.with(counters.time));
    }

    /**
     * Returns the numbers of a tenant, which count by themselves. Closing these numbers closes those of all tenants.
     *
     * @param newTenant 1 to 40 letters, digits, hyphens and underscores
     * @return numbers that need no closing
     * @throws IllegalArgumentException if the tenant has other characters, or the names of its rows are too long
     */
    public SerialNumbers forTenant(String newTenant) {
        return new SerialNumbers(name, format, restart, zone, SerialNumberFormat.checkTenant(newTenant), counters);
    }

    /** Returns a copy with other clocks, for tests. */
    SerialNumbers on(SerialCounters.Time time) {
        return new SerialNumbers(name, format, restart, zone, tenant, counters.with(time));
    }

    /**
     * Returns the next number, usually from memory. Blocks while the database is asked: for the first number of a
     * period, when the numbers in memory are used up, and each minute for its time.
     *
     * @return a text of the format
     * @throws IdGenerationException if no number can be taken, or all that fit the format are used in this period
     */
    public String next() {
        LocalDateTime now = local(counters.nowMillis());
        return text(now, counters.take(restart.period.format(now), row(now)));
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
        LocalDateTime now = local(counters.nowMillis(transaction));
        return text(now, counters.take(transaction, tenant, row(now), format.largestNumber()));
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

    /** Returns the name of the row of a period. The slash makes it differ from the row of an entity's ids. */
    private String row(LocalDateTime now) {
        return name + "/" + (tenant.isEmpty() ? "" : tenant + "/") + restart.period.format(now);
    }

    /** Hands numbers that were taken ahead back, and closes what {@link #next()} keeps open. */
    @Override
    public void close() {
        counters.close();
    }
}
