package io.idgen.text;

import io.idgen.core.internal.text.Characters;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Objects;

/**
 * The format of a business serial number. It consists of digits only: business code, date and time, worker, number and
 * check digit, each of a fixed width. Formats and parses serials; {@link SerialNumberSource} makes them unique.
 * Immutable.
 *
 * <p>A value that does not fit its field is an error and is never cut off, since the rest could equal another number.
 * Serials of one format and one business code sort by time. If serials of two formats share a column, give them
 * different business codes or lengths.
 *
 * @param codeDigits width of the business code, 0 to {@value #MAX_CODE_DIGITS}
 * @param precision how much of date and time is written; not null
 * @param zone the time zone of date and time; not null
 * @param workerDigits width of the worker, 0 to {@value #MAX_WORKER_DIGITS}; 0 omits it
 * @param numberDigits width of the number, 1 to {@value #MAX_NUMBER_DIGITS}
 * @param checkDigit the check digit at the end; not null
 */
public record SerialNumberFormat(
        int codeDigits, Precision precision, ZoneId zone, int workerDigits, int numberDigits, CheckDigit checkDigit) {

    /** The widest business code: {@value} digits. */
    static final int MAX_CODE_DIGITS = 18;

    /** The widest worker: {@value} digits, which fit in an {@code int}. */
    static final int MAX_WORKER_DIGITS = 9;

    /** The widest number: {@value} digits, enough for every id. */
    static final int MAX_NUMBER_DIGITS = 19;

    /**
     * 23 digits, the form that articles usually describe: 3 digits of business code, 17 of date and time to the
     * millisecond in UTC, 3 of number. It is for a single process; {@link #withWorkerDigits} adds a field for several.
     */
    public static final SerialNumberFormat CLASSIC =
            new SerialNumberFormat(3, Precision.MILLISECOND, ZoneOffset.UTC, 0, 3, CheckDigit.NONE);

    // The whole text; a coarser precision writes and reads its beginning.
    private static final DateTimeFormatter TO_THE_MILLISECOND =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmssSSS", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);

    /** How much of date and time a serial contains. */
    public enum Precision {
        /** {@code yyyyMMdd}. */
        DAY(8, ChronoUnit.DAYS),
        /** {@code yyyyMMddHHmmss}. */
        SECOND(14, ChronoUnit.SECONDS),
        /** {@code yyyyMMddHHmmssSSS}. */
        MILLISECOND(17, ChronoUnit.MILLIS);

        final int digits;
        final ChronoUnit unit;

        Precision(int digits, ChronoUnit unit) {
            this.digits = digits;
            this.unit = unit;
        }
    }

    /**
     * Checks the widths.
     *
     * @throws IllegalArgumentException if a width is out of range
     */
    public SerialNumberFormat {
        checkWidth("business code", codeDigits, 0, MAX_CODE_DIGITS);
        Objects.requireNonNull(precision, "precision");
        Objects.requireNonNull(zone, "zone");
        checkWidth("worker", workerDigits, 0, MAX_WORKER_DIGITS);
        checkWidth("number", numberDigits, 1, MAX_NUMBER_DIGITS);
        Objects.requireNonNull(checkDigit, "checkDigit");
    }

    private static void checkWidth(String field, int digits, int least, int most) {
        if (digits < least || digits > most) {
            throw new IllegalArgumentException(
                    field + " must be " + least + " to " + most + " digits wide, got " + digits);
        }
    }

    /**
     * Returns a copy with another width of the business code.
     *
     * @param digits 0 to {@value #MAX_CODE_DIGITS}
     * @return the copy
     * @throws IllegalArgumentException if the width is out of range
     */
    public SerialNumberFormat withCodeDigits(int digits) {
        return new SerialNumberFormat(digits, precision, zone, workerDigits, numberDigits, checkDigit);
    }

    /**
     * Returns a copy with another precision of date and time.
     *
     * @param newPrecision day, second or millisecond
     * @return the copy
     */
    public SerialNumberFormat withPrecision(Precision newPrecision) {
        return new SerialNumberFormat(codeDigits, newPrecision, zone, workerDigits, numberDigits, checkDigit);
    }

    /**
     * Returns a copy with date and time in another zone.
     *
     * @param newZone any zone; {@link SerialNumberSource#ofSnowflakes} needs one whose clocks are never put back
     * @return the copy
     */
    public SerialNumberFormat withZone(ZoneId newZone) {
        return new SerialNumberFormat(codeDigits, precision, newZone, workerDigits, numberDigits, checkDigit);
    }

    /**
     * Returns a copy with another width of the worker.
     *
     * @param digits 0 to {@value #MAX_WORKER_DIGITS}; 0 omits it
     * @return the copy
     * @throws IllegalArgumentException if the width is out of range
     */
    public SerialNumberFormat withWorkerDigits(int digits) {
        return new SerialNumberFormat(codeDigits, precision, zone, digits, numberDigits, checkDigit);
    }

    /**
     * Returns a copy with another width of the number.
     *
     * @param digits 1 to {@value #MAX_NUMBER_DIGITS}
     * @return the copy
     * @throws IllegalArgumentException if the width is out of range
     */
    public SerialNumberFormat withNumberDigits(int digits) {
        return new SerialNumberFormat(codeDigits, precision, zone, workerDigits, digits, checkDigit);
    }

    /**
     * Returns a copy with another check digit.
     *
     * @param newCheckDigit the check digit at the end
     * @return the copy
     */
    public SerialNumberFormat withCheckDigit(CheckDigit newCheckDigit) {
        return new SerialNumberFormat(codeDigits, precision, zone, workerDigits, numberDigits, newCheckDigit);
    }

    /**
     * Returns the number of digits of a serial, which is the width of its column.
     *
     * @return the sum of the widths of all fields
     */
    public int length() {
        return checkFrom() + checkDigit.digits();
    }

    /**
     * Formats a serial.
     *
     * @param serial its fields; the time is truncated to the precision
     * @return exactly {@link #length} digits
     * @throws IllegalArgumentException if a field does not fit its width, or the year is not 0 to 9999
     */
    public String format(SerialNumber serial) {
        checkCode(serial.businessCode());
        int year = serial.dateTime().getYear();
        if (year < 0 || year > 9999) {
            throw new IllegalArgumentException("a serial has a year of 4 digits, got " + year + "; check the clock");
        }
        checkFits("worker", serial.worker(), workerDigits);
        checkFits("number", serial.number(), numberDigits);
        return checkDigit.append(serial.businessCode()
                + TO_THE_MILLISECOND.format(serial.dateTime()).substring(0, precision.digits)
                + padded(serial.worker(), workerDigits)
                + padded(serial.number(), numberDigits));
    }

    /** Checks that a business code has exactly as many digits as its field. */
    void checkCode(String code) {
        for (int i = 0; i < code.length(); i++) {
            if (!isDigit(code.charAt(i))) {
                throw new IllegalArgumentException("a business code consists of digits, but character " + (i + 1)
                        + " is " + Characters.show(code.charAt(i)));
            }
        }
        if (code.length() != codeDigits) {
            throw new IllegalArgumentException("the business code has " + codeDigits + " digits in this format, got "
                    + code.length() + "; fill it with leading zeros, or use withCodeDigits(" + code.length() + ")");
        }
    }

    private static void checkFits(String field, long value, int digits) {
        if (value > largest(digits)) {
            throw new IllegalArgumentException(field + " " + value + " does not fit in "
                    + (digits == 0 ? "a format without that field" : digits + " digits (0.." + largest(digits) + ")")
                    + "; widen the field to " + Long.toString(value).length());
        }
    }

    /** Returns the largest value of a field; 0 for a field that the format omits. */
    static long largest(int digits) {
        return digits == MAX_NUMBER_DIGITS ? Long.MAX_VALUE : Long.parseLong("0" + "9".repeat(digits));
    }

    private static String padded(long value, int digits) {
        String text = Long.toString(value);
        return digits == 0 ? "" : "0".repeat(digits - text.length()) + text;
    }

    /**
     * Parses a serial of this format, and verifies its check digit if it has one.
     *
     * @param text exactly {@link #length} digits
     * @return its fields; time units finer than the precision are 0
     * @throws IllegalArgumentException if the length is wrong, a character is not a digit, a field has an impossible
     *     value, or the check digit does not match; the message names character and field
     */
    public SerialNumber parse(String text) {
        if (text.length() != length()) {
            throw new IllegalArgumentException("a serial of this format has " + length() + " digits (" + codeDigits
                    + " business code, " + precision.digits + " date-time, " + workerDigits + " worker, " + numberDigits
                    + " number, " + checkDigit.digits() + " check digit), got " + text.length() + " characters");
        }
        for (int i = 0; i < text.length(); i++) {
            if (!isDigit(text.charAt(i))) {
                throw new IllegalArgumentException("character " + (i + 1) + ", in the " + fieldAt(i) + ", is "
                        + Characters.show(text.charAt(i)) + "; a serial consists of digits");
            }
        }
        SerialNumber serial =
                new SerialNumber(text.substring(0, codeDigits), dateTime(text), worker(text), number(text));
        String withoutCheck = text.substring(0, checkFrom());
        String expected = checkDigit.append(withoutCheck);
        if (!expected.equals(text)) {
            throw new IllegalArgumentException("the " + checkDigit + " check digit, character " + text.length()
                    + ", is "
                    + text.charAt(checkFrom()) + ", but the digits before it require " + expected.charAt(checkFrom())
                    + "; a digit is wrong or two are swapped, compare with the original");
        }
        return serial;
    }

    private LocalDateTime dateTime(String text) {
        String written = text.substring(codeDigits, workerFrom());
        try {
            return LocalDateTime.parse(
                    written + "0".repeat(Precision.MILLISECOND.digits - precision.digits), TO_THE_MILLISECOND);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "the date-time, characters " + (codeDigits + 1) + " to " + workerFrom() + ", is " + written
                            + ", which is not a date and time",
                    e);
        }
    }

    private int worker(String text) {
        return workerDigits == 0 ? 0 : Integer.parseInt(text, workerFrom(), numberFrom(), 10);
    }

    private long number(String text) {
        try {
            return Long.parseLong(text, numberFrom(), checkFrom(), 10);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "the number, characters " + (numberFrom() + 1) + " to " + checkFrom() + ", is above "
                            + Long.MAX_VALUE + ", the largest id",
                    e);
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9'; // Character.isDigit also accepts digits of other scripts
    }

    private String fieldAt(int index) {
        if (index < codeDigits) {
            return "business code";
        }
        if (index < workerFrom()) {
            return "date-time";
        }
        if (index < numberFrom()) {
            return "worker";
        }
        return index < checkFrom() ? "number" : "check digit";
    }

    private int workerFrom() {
        return codeDigits + precision.digits;
    }

    private int numberFrom() {
        return workerFrom() + workerDigits;
    }

    private int checkFrom() {
        return numberFrom() + numberDigits;
    }
}
