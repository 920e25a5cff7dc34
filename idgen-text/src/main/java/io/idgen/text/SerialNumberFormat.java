package io.idgen.text;

import io.idgen.core.internal.time.Characters;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.HashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text of serial numbers, such as <code>INV-{date:yyyyMMdd}-{number:6}{check}</code>. Formats and parses; {@code
 * SerialNumbers} of idgen-jdbc counts. All but these fields is text that stays as it is:
 *
 * <ul>
 *   <li><code>{number:6}</code>: the number with leading zeros, 1 to 18 digits wide. Every format needs it.
 *   <li><code>{date:yyyyMMdd}</code>: date and time, by {@code yyyy}, {@code yy}, {@code MM}, {@code dd}, {@code
 *       HH}, {@code mm}, {@code ss} and {@code SSS} as in {@link DateTimeFormatter}, with a year.
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
    private static final LocalDateTime EXAMPLE = LocalDateTime.of(2022, 12, 31, 23, 59, 59, 999_000_000);

    /**
     * Letters that write as many digits as they are, not followed by one more of their kind, and text. Short names of
     * months repeat within a year, and quotes would hide letters that are text.
     */
    private static final Pattern DATE =
            Pattern.compile("(?:(?:yyyy|yy|MM|dd|HH|mm|ss|SSS)(?!(?<=(.))\\1)|[^A-Za-z'#\\[\\]])+");

    private final String text;
    private final Pattern pattern;
    private final Set<String> fields = new HashSet<>();
    private @Nullable DateTimeFormatter date;
    private String dateLetters = "";
    private int digits;
    private CheckDigit check = CheckDigit.NONE;

    private SerialNumberFormat(String text) {
        this.text = text;
        StringBuilder regex = new StringBuilder();
        Matcher field = FIELD.matcher(text);
        int from = 0;
        while (field.find()) {
            regex.append(quoted(text.substring(from, field.start())));
            String argument = Objects.requireNonNullElse(field.group(2), "");
            regex.append(field(field.group(1), argument, field.end() == text.length()));
            from = field.end();
        }
        regex.append(quoted(text.substring(from)));
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

    private static String quoted(String part) {
        require(!part.contains("{") && !part.contains("}"), "a brace belongs to no field");
        return Pattern.quote(part);
    }

    /** Reads a field, and returns its regular expression. */
    private String field(String name, String argument, boolean isLast) {
        require(fields.add(name), "it has {" + name + "} twice");
        return switch (name + (argument.isEmpty() ? "" : ":")) {
            case "number:" -> {
                require(argument.matches("[1-9]|1[0-8]"), "a number is 1 to 18 digits wide");
                digits = Integer.parseInt(argument);
                yield "(?<number>[0-9]{" + digits + "})";
            }
            case "date:" -> {
                date = date(argument);
                dateLetters = argument;
                yield "(?<date>.{" + argument.length() + "})";
            }
            case "tenant" -> "(?<tenant>" + TENANT + ")";
            case "check", "check:" -> {
                require(isLast && (argument.isEmpty() || argument.equals("iso7064")), "no such check digit at the end");
                check = argument.isEmpty() ? CheckDigit.LUHN : CheckDigit.ISO_7064_MOD_11_10;
                yield "[0-9]";
            }
            default -> throw new IllegalArgumentException("no field {" + name + "}, or it lacks its argument");
        };
    }

    private static DateTimeFormatter date(String letters) {
        require(
                DATE.matcher(letters).matches(),
                "its date has other letters than yyyy, yy, MM, dd, HH, mm, ss and SSS");
        DateTimeFormatter formatter = new DateTimeFormatterBuilder()
                .appendPattern(letters.replace('y', 'u')) // the year of an era cannot be parsed by itself
                .parseDefaulting(ChronoField.MONTH_OF_YEAR, 1)
                .parseDefaulting(ChronoField.DAY_OF_MONTH, 1)
                .parseDefaulting(ChronoField.HOUR_OF_DAY, 0)
                .toFormatter(Locale.ROOT)
                .withResolverStyle(ResolverStyle.STRICT);
        LocalDateTime.parse(formatter.format(EXAMPLE), formatter); // fails without a year
        return formatter;
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
     * @throws IllegalArgumentException if the number or the year does not fit its width, or the tenant is missing or
     *     not allowed
     */
    public String format(SerialNumber number) {
        String fieldsWritten = FIELD.matcher(text)
                .replaceAll(field -> Matcher.quoteReplacement(
                        switch (field.group(1)) {
                            case "number" -> String.format(Locale.ROOT, "%0" + digits + "d", number.number());
                            case "date" -> number.dateTime().format(Objects.requireNonNull(date));
                            case "tenant" -> checkTenant(number.tenant());
                            default -> "";
                        }));
        String all = check.append(fieldsWritten.replaceAll("[^0-9]", ""));
        String written = fieldsWritten + (check == CheckDigit.NONE ? "" : all.charAt(all.length() - 1));
        require(
                number.number() <= largestNumber() && pattern.matcher(written).matches(),
                "number " + number.number() + " of " + number.dateTime() + " does not fit the width of its field in the"
                        + " format " + text + "; widen the field for the next period");
        return written;
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
            SerialNumber number = new SerialNumber(
                    date == null ? LocalDateTime.of(1970, 1, 1, 0, 0) : LocalDateTime.parse(found.group("date"), date),
                    fields.contains("tenant") ? found.group("tenant") : null,
                    Long.parseLong(found.group("number")));
            require(
                    format(number).equals(written),
                    "its check digit does not match, so a digit is wrong or two are swapped");
            return number;
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
