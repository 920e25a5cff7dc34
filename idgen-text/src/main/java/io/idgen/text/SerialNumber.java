package io.idgen.text;

import java.time.LocalDateTime;
import java.util.Objects;

/**
 * The fields of a business serial number.
 *
 * @param businessCode the digits that distinguish, for example, orders from payments; not null
 * @param dateTime the date and time as written, in the zone of the {@link SerialNumberFormat}; not null
 * @param worker the number of the process, 0 or above; 0 if the format has no such field
 * @param number the number within the date-time, or the whole id; 0 or above
 */
public record SerialNumber(String businessCode, LocalDateTime dateTime, int worker, long number) {

    /**
     * Checks that no field is null or negative. {@link SerialNumberFormat#format} checks whether the fields fit in a
     * format.
     *
     * @throws IllegalArgumentException if a number is negative
     */
    public SerialNumber {
        Objects.requireNonNull(businessCode, "businessCode");
        Objects.requireNonNull(dateTime, "dateTime");
        if (worker < 0 || number < 0) {
            throw new IllegalArgumentException(
                    "parts of a serial are never negative, got worker " + worker + ", number " + number);
        }
    }
}
