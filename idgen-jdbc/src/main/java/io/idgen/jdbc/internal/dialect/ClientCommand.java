package io.idgen.jdbc.internal.dialect;

import io.idgen.jdbc.dialect.Dialect;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Formats statements with the command line of the database's client, ready to be pasted into a shell. */
public final class ClientCommand {
    private static final Pattern SERVER = Pattern.compile(
            "jdbc:[a-z]+://(?<host>[\\w.-]+)(?::(?<port>\\d+))?/(?<database>[\\w.-]+)(?:[?;].*)?", Pattern.DOTALL);
    private static final Pattern PLACE = Pattern.compile("\\{([a-z]+)}");
    private static final Pattern PLAIN = Pattern.compile("[\\w.-]+");

    private ClientCommand() {}

    /**
     * Returns statements with the command line of the client that runs them.
     *
     * @param dialect the dialect of the database
     * @param connection read for the server's address and the user
     * @param statements statements without semicolons
     * @return the statements, in a here-document of the client if the dialect has one
     * @throws SQLException if the driver fails
     */
    public static String of(Dialect dialect, Connection connection, List<String> statements) throws SQLException {
        DatabaseMetaData database = connection.getMetaData();
        return of(dialect, database.getURL(), database.getUserName(), statements);
    }

    static String of(Dialect dialect, @Nullable String url, @Nullable String user, List<String> statements) {
        String sql = statements.stream().map(statement -> statement + ";\n").collect(Collectors.joining());
        return dialect.client()
                .map(client -> filled(client, values(url, user)) + " <<'SQL'\n" + sql + "SQL\n")
                .orElse(sql);
    }

    /** Returns the values from the URL and the driver that a shell does not interpret. */
    private static Map<String, String> values(@Nullable String url, @Nullable String user) {
        Map<String, String> values = new HashMap<>();
        Matcher server = SERVER.matcher(url == null ? "" : url);
        if (server.matches()) {
            List.of("host", "port", "database").forEach(name -> put(values, name, server.group(name)));
        }
        put(values, "user", user == null ? null : user.replaceFirst("@.*", "")); // MariaDB's contains the client's host
        return values;
    }

    private static void put(Map<String, String> values, String name, @Nullable String value) {
        if (value != null && PLAIN.matcher(value).matches()) {
            values.put(name, value);
        }
    }

    /** Leaves out the words whose value is unknown. */
    private static String filled(String client, Map<String, String> values) {
        return Arrays.stream(client.split(" "))
                .filter(word -> PLACE.matcher(word).results().allMatch(place -> values.containsKey(place.group(1))))
                .map(word -> PLACE.matcher(word).replaceAll(place -> values.get(place.group(1))))
                .collect(Collectors.joining(" "));
    }
}
