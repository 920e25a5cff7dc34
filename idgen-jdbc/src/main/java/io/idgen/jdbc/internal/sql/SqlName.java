package io.idgen.jdbc.internal.sql;

import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The name of a table or column, safe to put into a statement. It consists of parts joined by dots. Each part is a
 * plain identifier or one in the quotes of its database. No other text of a setting is put into SQL.
 *
 * @param parts the parts from the outermost, at least one
 */
public record SqlName(List<String> parts) {
    private static final int MAX_LENGTH = 4 * 131;
    private static final String PLAIN = "[A-Za-z_][A-Za-z0-9_$]{0,127}";
    private static final String QUOTED = "\"[^\"`\\[\\];]{1,128}\"|`[^\"`\\[\\];]{1,128}`|\\[[^\"`\\[\\];]{1,128}]";
    private static final Pattern PART = Pattern.compile(QUOTED + "|" + PLAIN);
    private static final Pattern NAME = Pattern.compile("(" + PART + ")(\\.(" + PART + "))*");

    /** Copies the list. */
    public SqlName {
        parts = List.copyOf(parts);
    }

    /**
     * Parses a name.
     *
     * @param text the text of a setting or of a caller
     * @param least the smallest number of parts
     * @param most the largest number of parts
     * @return the name
     * @throws IllegalArgumentException if the text is not a name with that number of parts
     */
    public static SqlName parse(String text, int least, int most) {
        String name = text.strip();
        if (name.length() <= MAX_LENGTH && NAME.matcher(name).matches()) {
            List<String> parts =
                    PART.matcher(name).results().map(MatchResult::group).toList();
            if (parts.size() >= least && parts.size() <= most) {
                return new SqlName(parts);
            }
        }
        throw new IllegalArgumentException("a name must be " + least + " to " + most
                + " identifiers joined by dots, each plain or quoted, for example orders or shop.orders.id, got '"
                + text
                + "'");
    }

    /**
     * All parts except the last: the table of a column.
     *
     * @return a name with one part less
     */
    public SqlName table() {
        return new SqlName(parts.subList(0, parts.size() - 1));
    }

    /**
     * The last part: the column.
     *
     * @return an identifier
     */
    public String column() {
        return parts.get(parts.size() - 1);
    }

    /**
     * The part before the last one: the schema of a table.
     *
     * @return an identifier, or an empty text
     */
    public String schema() {
        return parts.size() > 1 ? parts.get(parts.size() - 2) : "";
    }

    /**
     * Returns the spelling of a part in the catalog: quoted names without quotes, plain names in the case that the
     * database uses.
     *
     * @throws SQLException if the driver fails
     */
    public static String spelled(DatabaseMetaData database, String part) throws SQLException {
        if (!Character.isLetter(part.charAt(0)) && part.charAt(0) != '_') {
            return part.substring(1, part.length() - 1);
        }
        if (database.storesUpperCaseIdentifiers()) {
            return part.toUpperCase(Locale.ROOT);
        }
        return database.storesLowerCaseIdentifiers() ? part.toLowerCase(Locale.ROOT) : part;
    }

    /** The name as it is written in a statement. */
    @Override
    public String toString() {
        return String.join(".", parts);
    }
}
