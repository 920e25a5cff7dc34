package io.idgen.jdbc.internal.sql;

/** The name that a user gives a database server which cannot identify itself. */
public final class ServerIdentity {
    private ServerIdentity() {}

    /** Refuses what is no name; gives it back if it is one. */
    public static String check(String identity) {
        if (identity.isBlank() || identity.length() > 64) {
            throw new IllegalArgumentException(
                    "a server's identity is 1 to 64 characters and not blank, got '" + identity + "'");
        }
        return identity;
    }
}
