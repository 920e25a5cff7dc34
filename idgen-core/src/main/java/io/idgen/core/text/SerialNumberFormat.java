package io.idgen.core.text;

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
 * How a business serial number is written, in digits only: business code, date and time, worker, number, check digit, each of
 * a fixed width. Writes serials and reads them back; that no two are the same is the work of {@link SerialNumberSource}.
 *
 * <p>What does not fit its field is refused, never shortened: a shortened number is another one's. Serials of one format and
 * business code sort by their time. Two formats whose serials share a column differ in business code or in length.
 *
 * @param codeDigits width of the business code, 0 to {@value #MAX_CODE_DIGITS}
 * @param precision how much of date and time is written
 * @param zone where the date and time are read off the clock
 * @param workerDigits width of the worker, 0 to {@value #MAX_WORKER_DIGITS}; 0 leaves it out
 * @param numberDigits width of the number, 1 to {@value #MAX_NUMBER_DIGITS}
 * @param checkDigit what stands last
 */
public record SerialNumberFormat(
        int codeDigits, Precision precision, ZoneId zone, int workerDigits, int numberDigits, CheckDigit checkDigit) {

    /** The widest business code: {@value} digits. */
    public static final int MAX_CODE_DIGITS = 18;

    /** The widest worker: {@value} digits, what an {@code int} holds. */
    public static final int MAX_WORKER_DIGITS = 9;

    /** The widest number: {@value} digits, enough for every id. */
    public static final int MAX_NUMBER_DIGITS = 19;

    /**
     * 23 digits, the form in which serials have long been described in articles: 3 of business code, 17 of date and time to the
     * millisecond in UTC, 3 of number. For a single process; {@link #withWorkerDigits} makes room for several.
     */
    public static final SerialNumberFormat CLASSIC =
            new SerialNumberFormat(3, Precision.MILLISECOND, ZoneOffset.UTC, 0, 3, CheckDigit.NONE);

    // written and read whole; coarser precisions are its beginning
    private static final DateTimeFormatter TO_THE_MILLISECOND =
            DateTimeFormatter.ofPattern("uuuuMMddHHmmssSSS", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);

    /** How much of date and time a serial has. */
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

    /** Refuses widths out of range. */
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
     * The same with a business code of another width.
     *
     * @param digits 0 to {@value #MAX_CODE_DIGITS}
     * @return a format
     */
    public SerialNumberFormat withCodeDigits(int digits) {
        return new SerialNumberFormat(digits, precision, zone, workerDigits, numberDigits, checkDigit);
    }

    /**
     * The same with more or less of date and time.
     *
     * @param newPrecision day, second or millisecond
     * @return a format
     */
    public SerialNumberFormat withPrecision(Precision newPrecision) {
        return new SerialNumberFormat(codeDigits, newPrecision, zone, workerDigits, numberDigits, checkDigit);
    }

    /**
     * The same with date and time in another zone.
     *
     * @param newZone any; {@link SerialNumberSource#ofSnowflakes} needs one whose clocks are never put back
     * @return a format
     */
    public SerialNumberFormat withZone(ZoneId newZone) {
        return new SerialNumberFormat(codeDigits, precision, newZone, workerDigits, numberDigits, checkDigit);
    }

    /**
     * The same with a worker of another width.
     *
     * @param digits 0 to {@value #MAX_WORKER_DIGITS}; 0 leaves it out
     * @return a format
     */
    public SerialNumberFormat withWorkerDigits(int digits) {
        return new SerialNumberFormat(codeDigits, precision, zone, digits, numberDigits, checkDigit);
    }

    /**
     * The same with a number of another width.
     *
     * @param digits 1 to {@value #MAX_NUMBER_DIGITS}
     * @return a format
     */
    public SerialNumberFormat withNumberDigits(int digits) {
        return new SerialNumberFormat(codeDigits, precision, zone, workerDigits, digits, checkDigit);
    }

    /**
     * The same with another check digit.
     *
     * @param newCheckDigit what stands last
     * @return a format
     */
    public SerialNumberFormat withCheckDigit(CheckDigit newCheckDigit) {
        return new SerialNumberFormat(codeDigits, precision, zone, workerDigits, numberDigits, newCheckDigit);
    }

    /**
     * How many digits a serial has: the width of its column.
     *
     * @return the sum of all fields
     */
    public int length() {
        return checkFrom() + checkDigit.digits();
    }

    /**
     * Writes a serial.
     *
     * @param serial its parts; the time is taken down to the precision
     * @return {@link #length} digits
     * @throws IllegalArgumentException if a part does not fit its field, or the year is not 0 to 9999
     */
    public String format(SerialNumber serial) {
        checkCode(serial.businessCode());
        int year = serial.dateTime().getYear();
        if (year < 0 || year > 9999) {
            throw new IllegalArgumentException("a serial has 4 digits of the year, got " + year + "; check the clock");
        }
        checkFits("worker", serial.worker(), workerDigits);
        checkFits("number", serial.number(), numberDigits);
        return checkDigit.append(serial.businessCode()
                + TO_THE_MILLISECOND.format(serial.dateTime()).substring(0, precision.digits)
                + padded(serial.worker(), workerDigits)
                + padded(serial.number(), numberDigits));
    }

    /** Refuses a business code that is not exactly as many digits as the field has. */
    void checkCode(String code) {
        for (int i = 0; i < code.length(); i++) {
            if (!isDigit(code.charAt(i))) {
                throw new IllegalArgumentException("a business code is digits only, character " + (i + 1) + " is "
                        + Characters.show(code.charAt(i)));
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

    /** The largest value of a field; 0 for one that is left out. */
    static long largest(int digits) {
        return digits == MAX_NUMBER_DIGITS ? Long.MAX_VALUE : Long.parseLong("0" + "9".repeat(digits));
    }

    private static String padded(long value, int digits) {
        String text = Long.toString(value);
        return digits == 0 ? "" : "0".repeat(digits - text.length()) + text;
    }

    /**
     * Reads a serial of this format, and verifies its check digit if it has one.
     *
     * @param text {@link #length} digits
     * @return its parts; what is finer than the precision is 0
     * @throws IllegalArgumentException if the length is wrong, a character is not a digit, a field says nothing possible, or
     *     the check digit does not belong to the rest; the message names character and field
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
                        + Characters.show(text.charAt(i)) + "; a serial is digits only");
            }
        }
        SerialNumber serial =
                new SerialNumber(text.substring(0, codeDigits), dateTime(text), worker(text), number(text));
        String withoutCheck = text.substring(0, checkFrom());
        String expected = checkDigit.append(withoutCheck);
        if (!expected.equals(text)) {
            throw new IllegalArgumentException("the " + checkDigit + " check digit, character " + text.length()
                    + ", is "
                    + text.charAt(checkFrom()) + ", the digits before it call for " + expected.charAt(checkFrom())
                    + "; a digit was mistyped or two were swapped, compare with the original");
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
                            + ", which no calendar or clock shows",
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
        return c >= '0' && c <= '9'; // Character.isDigit knows digits of many scripts
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
