package io.idgen.jdbc.internal.dialect;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A JDBC URL whose text contains no secrets. Only the driver, the hosts and the database appear, and only where they
 * are recognised: drivers accept passwords in many places, so everything else may be one.
 *
 * @param url the URL as it was given; pass it only to a driver
 */
public record JdbcUrl(String url) {
    private static final String HIDDEN = "***";

    private static final Pattern PARTS = Pattern.compile(
            "(?<driver>jdbc:[a-z0-9+-]+:(?:thin:)?)(?<slashes>(?:[a-z0-9+.-]+:)*//)?(?<address>[^?;]*)(?<parameters>.*)",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final String HOST = "(?:\\[[0-9a-f:.%]+]|[\\p{L}\\p{N}_.-]*)(?:\\\\[\\w$]+)?(?::\\d+)?";
    private static final String DATABASE = "[\\p{L}\\p{N}_.:/\\\\~$%+ -]*";

    /** The hosts of a server, and the database. */
    private static final Pattern SERVER = Pattern.compile(
            "(?://)?" + HOST + "(?:,\\s*" + HOST + ")*(?:[/:]" + DATABASE + ")?", Pattern.CASE_INSENSITIVE);

    /** The drivers of files, which may stand in front of a path. */
    private static final Pattern FILE = Pattern.compile("jdbc:(h2|hsqldb|sqlite):", Pattern.CASE_INSENSITIVE);

    private static final Pattern PATH = Pattern.compile(DATABASE);
    private static final Pattern NAME = Pattern.compile("[\\w.$-]*");

    private static final Pattern BEFORE_HOST = Pattern.compile("(?i)^jdbc:postgresql://[^?]*@");

    // a shorter secret is removed only where it is a word
    private static final int SHORT = 4;

    /**
     * Refuses a URL that the driver would misread and then log together with its password.
     *
     * @param url the URL as it was given
     * @return the URL
     * @throws IllegalArgumentException if PostgreSQL's driver would take a login for a part of the host
     */
    public static String checked(String url) {
        if (BEFORE_HOST.matcher(url).find()) {
            throw new IllegalArgumentException(
                    "must have no user and password in front of the host, because PostgreSQL's"
                            + " driver takes them for a part of its name, got " + new JdbcUrl(url)
                            + "; give them apart from the URL");
        }
        return url;
    }

    /**
     * Removes the secrets of this URL from a text, such as a driver's message.
     *
     * @param text may quote the URL or parts of it
     * @param password removed too; empty if there is none
     * @return the text with asterisks
     */
    public String removedFrom(String text, String password) {
        String secrets = Stream.concat(pieces(parts().hidden), Stream.of(password))
                .filter(secret -> !secret.isBlank())
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(JdbcUrl::pattern)
                .collect(Collectors.joining("|"));
        String withoutUrl = text.replace(url, toString());
        return secrets.isEmpty() ? withoutUrl : withoutUrl.replaceAll(secrets, Matcher.quoteReplacement(HIDDEN));
    }

    private static String pattern(String secret) {
        String quoted = Pattern.quote(secret);
        return secret.length() < SHORT ? "(?<![\\p{L}\\p{N}])" + quoted + "(?![\\p{L}\\p{N}])" : quoted;
    }

    /** Returns the parts of all values, as they are and as drivers decode them. Drivers and servers name the user. */
    private static Stream<String> pieces(String text) {
        return Stream.of(text.split("[?&;(),]+"))
                .filter(token -> !token.matches("(?i)user(name)?=.*"))
                .map(token -> token.replaceFirst("^[\\w.$-]+=", ""))
                .flatMap(value -> Stream.of(value, decoded(value)))
                .flatMap(value -> Stream.of(value.split("[:/@=]+")));
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return value; // no percent-encoding, so no driver decodes it
        }
    }

    /** The recognised part of the URL, and the rest, in which drivers may find a password. */
    private record Parts(String shown, String hidden) {}

    private Parts parts() {
        Matcher parts = PARTS.matcher(url);
        if (!parts.matches()) {
            return new Parts(HIDDEN, url);
        }
        String driver = parts.group("driver");
        String slashes = parts.group("slashes") == null ? "" : parts.group("slashes");
        String address = parts.group("address");
        String parameters = parts.group("parameters");
        int host = address.lastIndexOf('@') + 1;
        Pattern known =
                !slashes.isEmpty() || host > 0 ? SERVER : FILE.matcher(driver).matches() ? PATH : NAME;
        // a password may contain the question mark that seems to begin the parameters
        boolean isCut = parameters.contains("@") && address.indexOf('/', host) < 0;
        if (isCut || !known.matcher(address.substring(host)).matches()) {
            return new Parts(driver + slashes + HIDDEN, address + parameters);
        }
        return new Parts(
                driver + slashes + (host > 1 ? HIDDEN + "@" : address.substring(0, host)) + address.substring(host),
                address.substring(0, host) + parameters);
    }

    /** Returns the driver, the hosts and the database, with asterisks for what is not recognised. */
    @Override
    public String toString() {
        return parts().shown;
    }
}
