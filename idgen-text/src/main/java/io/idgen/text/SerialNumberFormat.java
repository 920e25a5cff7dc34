package io.idgen.text;

import io.idgen.core.internal.time.Characters;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text of serial numbers, such as <code>INV-{date:yyyyMMdd}-{number:6}{check}</code>. Formats and parses; {@code
 * SerialNumbers} of idgen-jdbc counts. All but these fields is text that stays as it is:
 *
 * <ul>
 *   <li><code>{number:6}</code>: the number with leading zeros, 1 to 18 digits wide. Every format needs it.
 *   <li><code>{date:yyyyMMdd}</code>: date and time by a pattern of {@link DateTimeFormatter} with a fixed width.
 *   <li><code>{tenant}</code>: 1 to 40 letters, digits, hyphens and underscores.
 *   <li><code>{check}</code>, <code>{check:iso7064}</code>: at the end, a check digit for all digits before it; see
 *       {@link CheckDigit}.
 * </ul>
 *
 * <p>A value that does not fit its field is an error and is never cut off, since the rest could equal another number.
 * Immutable.
 */
public final class SerialNumberFormat {
    private static final Pattern FIELD = Pattern.compile("\\{([a-z]+)(?::([^{}]*))?}");
    private static final Pattern TENANT = Pattern.compile("[A-Za-z0-9_-]{1,40}");
    private static final LocalDateTime EARLY = LocalDateTime.of(2001, 1, 1, 1, 1, 1);
    private static final LocalDateTime LATE = LocalDateTime.of(2022, 12, 31, 23, 59, 59, 999_000_000);

    private final String text;
    private final List<Part> parts = new ArrayList<>();
    private final StringBuilder regex = new StringBuilder();
    private final Pattern pattern;
    private @Nullable DateTimeFormatter date;
    private String dateLetters = "";
    private int digits;
    private boolean hasTenant;
    private CheckDigit check = CheckDigit.NONE;

    /** Writes a field, or text that stays as it is. */
    private interface Part {
        String write(SerialNumber number);
    }

    private SerialNumberFormat(String text) {
        this.text = text;
        Matcher field = FIELD.matcher(text);
        int from = 0;
        while (field.find()) {
            addText(text.substring(from, field.start()));
            addField(field.group(1), field.group(2) == null ? "" : field.group(2), field.end() == text.length());
            from = field.end();
        }
        addText(text.substring(from));
        require(digits > 0, "it has no number");
        this.pattern = Pattern.compile(regex.toString());
    }

    /**
     * Parses a format.
     *
     * @param text with <code>{number:…}</code>, and with each other field at most once
     * @return the format
     * @throws IllegalArgumentException if a field is unknown, missing, twice, or of no fixed width
     */
    public static SerialNumberFormat of(String text) {
        try {
            return new SerialNumberFormat(text);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException(
                    "the format '" + Characters.line(text) + "' cannot be used: " + e.getMessage() + "; fields are"
                            + " {number:6}, {date:yyyyMMdd}, {tenant}, {check} and {check:iso7064}",
                    e);
        }
    }

    private void addText(String part) {
        require(!part.contains("{") && !part.contains("}"), "a brace belongs to no field");
        parts.add(number -> part);
        regex.append(Pattern.quote(part));
    }

    private void addField(String name, String argument, boolean isLast) {
        switch (name + (argument.isEmpty() ? "" : ":")) {
            case "number:" -> {
                require(argument.matches("[1-9]|1[0-8]") && digits == 0, "it needs one number, 1 to 18 digits wide");
                digits = Integer.parseInt(argument);
                parts.add(number -> String.format(Locale.ROOT, "%0" + digits + "d", number.number()));
                regex.append("(?<number>[0-9]{").append(digits).append("})");
            }
            case "date:" -> addDate(argument);
            case "tenant" -> {
                require(!hasTenant, "it has two tenants");
                hasTenant = true;
                parts.add(number -> checkTenant(number.tenant()));
                regex.append("(?<tenant>").append(TENANT).append(')');
            }
            case "check", "check:" -> {
                require(isLast && (argument.isEmpty() || argument.equals("iso7064")), "no such check digit at the end");
                check = argument.isEmpty() ? CheckDigit.LUHN : CheckDigit.ISO_7064_MOD_11_10;
                regex.append("[0-9]");
            }
            default -> throw new IllegalArgumentException("no field {" + name + "}, or it lacks its argument");
        }
    }

    private void addDate(String letters) {
        require(date == null, "it has two dates");
        DateTimeFormatter formatter = new DateTimeFormatterBuilder()
                .appendPattern(letters.replace('y', 'u')) // the year of an era cannot be parsed by itself
                .parseDefaulting(ChronoField.MONTH_OF_YEAR, 1)
                .parseDefaulting(ChronoField.DAY_OF_MONTH, 1)
                .parseDefaulting(ChronoField.HOUR_OF_DAY, 0)
                .toFormatter(Locale.ROOT)
                .withResolverStyle(ResolverStyle.STRICT);
        int width = formatter.format(LATE).length();
        require(width == formatter.format(EARLY).length(), "its date has no fixed width; write MM for M, for example");
        LocalDateTime.parse(formatter.format(LATE), formatter);
        date = formatter;
        dateLetters = letters.replace('u', 'y');
        parts.add(number -> formatter.format(number.dateTime()));
        regex.append("(?<date>.{").append(width).append("})");
    }

    private static void require(boolean isMet, String problem) {
        if (!isMet) {
            throw new IllegalArgumentException(problem);
        }
    }

    /**
     * Checks the name of a tenant.
     *
     * @param tenant a name; null is refused too
     * @return the name
     * @throws IllegalArgumentException unless it consists of 1 to 40 letters, digits, hyphens and underscores
     */
    public static String checkTenant(@Nullable String tenant) {
        if (tenant == null || !TENANT.matcher(tenant).matches()) {
            throw new IllegalArgumentException("a tenant is 1 to 40 letters, digits, hyphens and underscores, got "
                    + (tenant == null ? "none" : "'" + Characters.line(tenant) + "'"));
        }
        return tenant;
    }

    /**
     * Returns the largest number that fits.
     *
     * @return 9 to 10<sup>18</sup> - 1
     */
    public long largestNumber() {
        return Long.parseLong("9".repeat(digits));
    }

    /**
     * Returns whether the date tells apart all periods of a kind, so that numbers may restart in each.
     *
     * @param letters the letters of a period: {@code y}, {@code yM} or {@code yMd}
     * @return true if the date has all of them
     */
    public boolean hasDate(String letters) {
        return letters.chars().allMatch(letter -> dateLetters.indexOf(letter) >= 0);
    }

    /**
     * Formats a number.
     *
     * @param number its fields
     * @return the text
     * @throws IllegalArgumentException if the number does not fit its width, or the tenant is missing or not allowed
     */
    public String format(SerialNumber number) {
        if (number.number() > largestNumber()) {
            throw new IllegalArgumentException("number " + number.number() + " does not fit in " + digits
                    + " digits of the format " + text + "; widen the field for the next period");
        }
        StringBuilder written = new StringBuilder();
        parts.forEach(part -> written.append(part.write(number)));
        return withCheck(written.toString());
    }

    private String withCheck(String written) {
        if (check == CheckDigit.NONE) {
            return written;
        }
        String all = check.append(written.replaceAll("[^0-9]", ""));
        return written + all.charAt(all.length() - 1);
    }

    /**
     * Parses a number of this format, and verifies its check digit if it has one.
     *
     * @param written a text as {@link #format} returns it
     * @return its fields
     * @throws IllegalArgumentException if the text is not of this format, the date does not exist, or the check digit
     *     does not match
     */
    public SerialNumber parse(String written) {
        Matcher found = pattern.matcher(written);
        try {
            require(found.matches(), "it has another form");
            require(
                    check == CheckDigit.NONE
                            || withCheck(written.substring(0, written.length() - 1))
                                    .equals(written),
                    "its check digit does not match, so a digit is wrong or two are swapped");
            LocalDateTime dateTime =
                    date == null ? LocalDateTime.of(1970, 1, 1, 0, 0) : LocalDateTime.parse(found.group("date"), date);
            return new SerialNumber(
                    dateTime, hasTenant ? found.group("tenant") : null, Long.parseLong(found.group("number")));
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IllegalArgumentException(
                    "'" + Characters.line(written) + "' is no number of the format " + text + ": " + e.getMessage()
                            + "; compare it with the original",
                    e);
        }
    }

    /** Returns the format as it was written. */
    @Override
    public String toString() {
        return text;
    }
}
