package io.idgen.text;

import java.time.LocalDateTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a serial number.
 *
 * @param dateTime date and time in the zone of the numbers; fields that a format does not write have their smallest
 *     value in a parsed number; not null
 * @param tenant null if there is none, or the format does not write it
 * @param number the number within the period, 1 or above
 */
public record SerialNumber(LocalDateTime dateTime, @Nullable String tenant, long number) {

    /**
     * Checks the fields that do not depend on a format.
     *
     * @throws IllegalArgumentException if the number is below 1
     */
    public SerialNumber {
        Objects.requireNonNull(dateTime, "dateTime");
        if (number < 1) {
            throw new IllegalArgumentException("a serial number counts from 1, got " + number);
        }
    }
}
