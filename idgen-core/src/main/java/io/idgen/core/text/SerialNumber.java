package io.idgen.core.text;

import java.time.LocalDateTime;
import java.util.Objects;

/**
 * What a business serial number says.
 *
 * @param businessCode the digits that tell orders from payments
 * @param dateTime the date and time as printed, in the zone of the {@link SerialNumberFormat}
 * @param worker which process made it, 0 where the format has no such field
 * @param number which of its time it is, or the whole id
 */
public record SerialNumber(String businessCode, LocalDateTime dateTime, int worker, long number) {

    /** Refuses null and negative parts; what a format has room for is checked by {@link SerialNumberFormat#format}. */
    public SerialNumber {
        Objects.requireNonNull(businessCode, "businessCode");
        Objects.requireNonNull(dateTime, "dateTime");
        if (worker < 0 || number < 0) {
            throw new IllegalArgumentException(
                    "parts of a serial are never negative, got worker " + worker + ", number " + number);
        }
    }
}
