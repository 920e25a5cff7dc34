package io.idgen.jdbc.internal.sql;

import io.idgen.core.internal.time.Names;
import java.util.regex.Pattern;

/** The name that a user gives to a database server that cannot identify itself. */
public final class ServerIdentity {

    /** Printable ASCII without capitals. No database takes two such names for equal. */
    private static final Pattern PLAIN = Pattern.compile("[ -~&&[^A-Z]]+");

    private ServerIdentity() {}

    /**
     * Refuses names that some databases take for equal: many compare texts without regard to case or accents.
     *
     * @throws IllegalArgumentException if it is empty, has more than 64 characters, capitals, or ones outside ASCII
     */
    public static String check(String identity) {
        Names.check("a server identity", identity, 64);
        if (!PLAIN.matcher(identity).matches()) {
            throw new IllegalArgumentException(
                    "a server identity has no capitals and only ASCII characters, because some databases take other names"
                            + " for equal, got '" + identity + "'");
        }
        return identity;
    }
}
