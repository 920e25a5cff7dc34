package io.idgen.jdbc.internal.sql;

/** Checks the name that a user gives a database server which cannot identify itself. */
public final class ServerIdentity {
    private ServerIdentity() {}

    /**
     * Returns {@code identity}.
     *
     * @throws IllegalArgumentException if it is blank or has more than 64 characters
     */
    public static String check(String identity) {
        if (identity.isBlank() || identity.length() > 64) {
            throw new IllegalArgumentException(
                    "a server identity must be 1 to 64 characters and not blank, got '" + identity + "'");
        }
        return identity;
    }
}
