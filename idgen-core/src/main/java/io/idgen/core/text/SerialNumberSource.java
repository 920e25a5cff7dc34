package io.idgen.core.text;

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
 * Gives business serial numbers, each made of one id of an {@link IdSource}: unique exactly as far as the ids are, because two
 * ids never give the same digits. There is no counter here that a restart could reset, and no clock whose steps could
 * bring a number back; both are the id source's business, which has answers to them.
 *
 * <p>A field of three digits must not be filled with {@code id % 1000}: among more than a thousand ids of one date-time it
 * repeats, and among snowflakes far sooner, whose lowest bits are nearly always 0. So there are two ways in which every
 * bit of the id stands in the serial:
 * <ul>
 *   <li>{@link #ofSnowflakes}: the serial is a snowflake written out in decimal, its own time, worker and sequence. The number
 *       begins at 0 in each millisecond, as in the classic form; the worker keeps processes apart.
 *   <li>{@link #ofIds}: the number is the whole id, of a segment source for example; the time is the clock's and says only when
 *       the serial was made. The way to serials by the day, whose counter would otherwise have to outlive a restart.
 * </ul>
 *
 * <p>The ids stay their source's: whoever opened it closes it. Safe for many threads.
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
     * Serials that are snowflakes written out in decimal: {@code layout.compose} makes the id again from what {@link
     * SerialNumberFormat#parse} reads. Datacenter and worker are one number, as in {@code datacenter * 32 + worker} of 5 bits.
     *
     * <p>For {@link SerialNumberFormat#CLASSIC} with two digits of worker, {@code SnowflakeLayout.parse("48-6-9")} fits: 64
     * workers in two digits, 512 ids of a millisecond in three. What happens when those are used up, or the clock steps back,
     * is the snowflake's {@link io.idgen.core.snowflake.ClockPolicy}. Beside another snowflake of the same worker, with another layout,
     * this one has a namespace of its own.
     *
     * @param format with room for all that the layout can say
     * @param businessCode as many digits as the format has for it
     * @param ids a source of snowflakes
     * @param layout how these are laid out
     * @return serials that are unique among all workers
     * @throws IllegalArgumentException if worker or sequence can be too large for its field, the format's date-time does not
     *     say which tick an id has, or the clocks of the format's zone are put back after the layout's epoch: two ids could
     *     then read the same
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
     * Serials whose number is the whole id. An id that outgrows the field is refused when it comes; for ids that are
     * snowflakes that takes all {@value SerialNumberFormat#MAX_NUMBER_DIGITS} digits.
     *
     * @param format without worker digits, which ids that are unique do not need
     * @param businessCode as many digits as the format has for it
     * @param ids any source; serials of one business code come from one source
     * @param clock read once for each serial
     * @return serials that are unique among all who use the source
     * @throws IllegalArgumentException if the business code does not fit, or the format has worker digits
     */
    public static SerialNumberSource ofIds(
            SerialNumberFormat format, String businessCode, IdSource ids, InstantSource clock) {
        if (format.workerDigits() != 0) {
            throw new IllegalArgumentException("a whole id needs no worker beside it, and the format has "
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
     * Gives the next serial. Waits as the id source waits.
     *
     * @return {@link SerialNumberFormat#length} digits
     * @throws IdGenerationException if there is no id to be had, or it does not fit the format; such an id is a gap
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
                    + ", and the format has " + digits + " digits for it; use " + wither + "("
                    + Long.toString(largest).length() + "), or a layout with fewer bits there");
        }
    }

    private static void checkTime(SerialNumberFormat format, SnowflakeLayout layout) {
        ChronoUnit unit = format.precision().unit;
        if (unit.getDuration().compareTo(layout.tick()) > 0
                || !layout.epoch().truncatedTo(unit).equals(layout.epoch())) {
            throw new IllegalArgumentException("a date-time to the " + format.precision()
                    + " does not say which tick of layout " + layout
                    + " an id has; use a finer precision, or number the serials by ids, with ofIds");
        }
        Instant putBack = putBackAfter(format.zone().getRules(), layout.epoch());
        if (putBack != null) {
            throw new IllegalArgumentException("the clocks of " + format.zone() + " are put back at " + putBack
                    + ", and what they show comes again; use a zone without that, such as UTC or +08:00,"
                    + " or number the serials by ids, with ofIds");
        }
    }

    /** The first time from a moment on that clocks are put back, if there is one; rules repeat yearly, so it is found soon. */
    private static @Nullable Instant putBackAfter(ZoneRules rules, Instant from) {
        ZoneOffsetTransition change = rules.nextTransition(from);
        while (change != null && !change.isOverlap()) {
            change = rules.nextTransition(change.getInstant());
        }
        return change == null ? null : change.getInstant();
    }
}
