package io.idgen.jdbc.internal.sql;

import io.idgen.core.internal.time.Names;
import io.idgen.jdbc.dialect.Dialect;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** The identity of a database server, and the name that a user gives to one that cannot identify itself. */
public final class ServerIdentity {

    /** Printable ASCII without capitals. No database takes two such names for equal. */
    private static final Pattern PLAIN = Pattern.compile("[ -~&&[^A-Z]]+");

    private ServerIdentity() {}

    /** Returns whether a replica without the last commits may take over from a server of this database. */
    public static boolean mayHaveReplicas(Dialect dialect) {
        return !dialect.serverIdentity().equals("'-'");
    }

    /**
     * Returns the text that idgen stores and compares for a name. Many databases compare texts without regard to case
     * or accents, and some cannot store every character. So the text of a name with such characters is its hash.
     *
     * @throws IllegalArgumentException if it is empty, has more than 64 characters, or one that {@link Names} refuses
     */
    public static String check(String identity) {
        Names.check("a server identity", identity, 64);
        return PLAIN.matcher(identity).matches() ? identity : hash(identity);
    }

    private static String hash(String identity) {
        try {
            byte[] name = identity.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(name)); // 64 characters
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
