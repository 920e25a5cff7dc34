package io.idgen.jdbc.internal.sql;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The name of a table or column that may stand in a statement: parts joined by dots, each a plain identifier or one in the
 * quotes of its database. Nothing else gets from a setting into SQL.
 *
 * @param parts from the outermost, at least one
 */
public record SqlName(List<String> parts) {
    private static final int MAX_LENGTH = 4 * 131;
    private static final String PLAIN = "[A-Za-z_][A-Za-z0-9_$]{0,127}";
    private static final String QUOTED = "\"[^\"`\\[\\];]{1,128}\"|`[^\"`\\[\\];]{1,128}`|\\[[^\"`\\[\\];]{1,128}]";
    private static final Pattern PART = Pattern.compile(QUOTED + "|" + PLAIN);
    private static final Pattern NAME = Pattern.compile("(" + PART + ")(\\.(" + PART + "))*");

    /** Keeps a copy. */
    public SqlName {
        parts = List.copyOf(parts);
    }

    /**
     * Reads a name.
     *
     * @param text what a setting or a caller says
     * @param least how many parts at least
     * @param most how many parts at most
     * @return the name
     * @throws IllegalArgumentException if it is anything else
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
        throw new IllegalArgumentException("a name is " + least + " to " + most
                + " identifiers joined by dots, each plain or quoted, for example orders or shop.orders.id, got '"
                + text
                + "'");
    }

    /**
     * All but the last part: the table of a column.
     *
     * @return a name of one part less
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

    /** As it stands in a statement. */
    @Override
    public String toString() {
        return String.join(".", parts);
    }
}
