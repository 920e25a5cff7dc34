package io.idgen.text;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Generates business serial numbers, each from one id of an {@link IdSource}. Serials are exactly as unique as the ids,
 * because two ids never give the same digits. This class has no counter that a restart could reset, and depends on no
 * clock for uniqueness; the id source handles both.
 *
 * <p>Never fill a field of three digits with {@code id % 1000}. More than a thousand ids of one date-time repeat it;
 * snowflakes repeat it far sooner, since their lowest bits take few values. Two factory methods write every bit of
 * the id into the serial:
 * <ul>
 *   <li>{@link #ofSnowflakes} writes a snowflake in decimal: its time, worker and sequence. The number begins at 0 in
 *       each millisecond, as in the classic form, if {@link
 *       io.idgen.core.snowflake.Snowflake.Builder#startOffsetBelow} is 1; the worker distinguishes processes.
 *   <li>{@link #ofIds} writes the whole id as the number, for example of a segment source. The time is that of the
 *       clock, and only shows when the serial was generated. Use it for serials by the day, whose counter would
 *       otherwise have to survive a restart.
 * </ul>
 *
 * <p>The caller closes the id source. Safe for many threads.
 */
public final class SerialNumberSource {
    private final SerialNumberFormat format;
    private final IdSource ids;
    private final LongFunction<SerialNumber> parts;

    private SerialNumberSource(
            SerialNumberFormat format, String businessCode, IdSource ids, LongFunction<SerialNumber> parts) {
        format.checkCode(businessCode);
        this.format = format;
        this.ids = Objects.requireNonNull(ids, "ids");
        this.parts = parts;
    }

    /**
     * Creates a source of serials that are snowflakes in decimal. {@code layout.compose} returns the id again from the
     * fields that {@link SerialNumberFormat#parse} returns. Datacenter and worker are one number, for example
     * {@code datacenter * 32 + worker} with 5 worker bits.
     *
     * <p>{@link SerialNumberFormat#CLASSIC} with two worker digits fits {@code SnowflakeLayout.parse("48-6-9")}: 64
     * workers in two digits, 512 ids of a millisecond in three. The snowflake's
     * {@link io.idgen.core.snowflake.ClockPolicy} decides what happens when those are used up, or when the clock steps
     * back. If another snowflake with another layout has the same worker id, give this one a namespace of its own.
     *
     * @param format a format whose fields have room for all values of the layout
     * @param businessCode as many digits as the format has for it
     * @param ids a source of snowflakes; the caller closes it
     * @param layout the layout of those ids
     * @return a source whose serials are unique among all workers
     * @throws IllegalArgumentException if the business code does not fit; if worker or sequence can be too large for
     *     its field; if the format's date-time does not determine the tick of an id; or if the clocks of the format's
     *     zone are put back after the layout's epoch, since two ids could then read the same
     */
    public static SerialNumberSource ofSnowflakes(
            SerialNumberFormat format, String businessCode, IdSource ids, SnowflakeLayout layout) {
        checkTime(format, layout);
        checkRoom("worker", "withWorkerDigits", layout.workers() - 1, format.workerDigits(), layout);
        checkRoom("number", "withNumberDigits", layout.idsPerTick() - 1, format.numberDigits(), layout);
        return new SerialNumberSource(format, businessCode, ids, id -> {
            SnowflakeParts snowflake = layout.parse(id);
            return new SerialNumber(
                    businessCode,
                    LocalDateTime.ofInstant(snowflake.time(), format.zone()),
                    (snowflake.datacenter() << layout.workerBits()) | snowflake.worker(),
                    snowflake.sequence());
        });
    }

    /**
     * Creates a source of serials whose number is the whole id. If an id does not fit its field, {@link #nextSerial}
     * throws. Ids that are snowflakes need all {@value SerialNumberFormat#MAX_NUMBER_DIGITS} digits.
     *
     * @param format a format without worker digits, which unique ids do not need
     * @param businessCode as many digits as the format has for it
     * @param ids any source; take all serials of one business code from the same source. The caller closes it
     * @param clock read once for each serial
     * @return a source whose serials are unique among all that use the id source
     * @throws IllegalArgumentException if the business code does not fit, or the format has worker digits
     */
    public static SerialNumberSource ofIds(
            SerialNumberFormat format, String businessCode, IdSource ids, InstantSource clock) {
        if (format.workerDigits() != 0) {
            throw new IllegalArgumentException("a serial with a whole id has no worker, but the format has "
                    + format.workerDigits() + " digits for one; use withWorkerDigits(0)");
        }
        Objects.requireNonNull(clock, "clock");
        return new SerialNumberSource(
                format,
                businessCode,
                ids,
                id -> new SerialNumber(businessCode, LocalDateTime.ofInstant(clock.instant(), format.zone()), 0, id));
    }

    /**
     * Generates the next serial. Waits as {@link IdSource#nextId} of the id source does.
     *
     * @return exactly {@link SerialNumberFormat#length} digits
     * @throws IdGenerationException if the id source has no id, or the id does not fit the format; such an id is a gap
     */
    public String nextSerial() {
        long id = ids.nextId();
        try {
            return format.format(parts.apply(id));
        } catch (IllegalArgumentException e) {
            throw new IdGenerationException(
                    ErrorCode.LIMIT_REACHED, "no serial for id " + id + ": " + e.getMessage(), e);
        }
    }

    private static void checkRoom(String field, String wither, long largest, int digits, SnowflakeLayout layout) {
        if (largest > SerialNumberFormat.largest(digits)) {
            throw new IllegalArgumentException("the " + field + " of layout " + layout + " goes up to " + largest
                    + ", but the format has " + digits + " digits for it; use " + wither + "("
                    + Long.toString(largest).length() + "), or a layout with fewer bits for it");
        }
    }

    private static void checkTime(SerialNumberFormat format, SnowflakeLayout layout) {
        ChronoUnit unit = format.precision().unit;
        if (unit.getDuration().compareTo(layout.tick()) > 0
                || !layout.epoch().truncatedTo(unit).equals(layout.epoch())) {
            throw new IllegalArgumentException("a date-time to the " + format.precision()
                    + " does not determine the tick of an id of layout " + layout
                    + "; use a finer precision, or ofIds");
        }
        Instant putBack = putBackAfter(format.zone().getRules(), layout.epoch());
        if (putBack != null) {
            throw new IllegalArgumentException("the clocks of " + format.zone() + " are put back at " + putBack
                    + ", so local times repeat; use a zone without that, such as UTC or +08:00,"
                    + " or ofIds");
        }
    }

    /**
     * Returns the first time after {@code from} at which clocks are put back, or null. Rules repeat yearly, so the
     * search is short.
     */
    private static @Nullable Instant putBackAfter(ZoneRules rules, Instant from) {
        ZoneOffsetTransition change = rules.nextTransition(from);
        while (change != null && !change.isOverlap()) {
            change = rules.nextTransition(change.getInstant());
        }
        return change == null ? null : change.getInstant();
    }
}
