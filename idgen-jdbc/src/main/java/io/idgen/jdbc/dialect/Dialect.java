package io.idgen.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The differences between databases, in one small class per database. A database without a dialect is rejected.
 *
 * <p>To support another database, implement {@link #name}, {@link #speaks} and {@link #nowMillis}. Override other
 * methods where the database differs from their defaults, which follow the SQL standard. Register the class in {@code
 * META-INF/services/io.idgen.jdbc.dialect.Dialect}, and add the scripts {@code db/idgen/<name>/R__idgen_tables.sql} and
 * {@code idgen/schema/<name>/drop.sql}. Your dialect has precedence over idgen's own. Implementations have no state.
 */
public interface Dialect extends ServerFacts, Sequences {

    /**
     * Returns the name of this dialect, which is also the name of the folder of its scripts. JDBC URLs of the database
     * begin with {@code jdbc:} and this name.
     *
     * @return lower-case letters
     */
    String name();

    /**
     * Returns whether a database uses this dialect.
     *
     * @param product the name of the database, as in the driver's metadata
     * @param version the version of the database, as in the driver's metadata
     * @return true for one dialect
     */
    boolean speaks(String product, String version);

    /**
     * Whether a database is in the memory of this process.
     *
     * @param url a JDBC URL of this dialect, in lower case
     * @return false if not overridden
     */
    default boolean isInMemory(String url) {
        return false;
    }

    /**
     * Whether no other process can open a database: it is in the memory of this process, or in files that it locks.
     *
     * @param url a JDBC URL of this dialect, in lower case
     * @return as {@link #isInMemory} if not overridden
     */
    default boolean isOwnedByThisProcess(String url) {
        return isInMemory(url);
    }

    /**
     * The driver's properties for connections that idgen opens itself. With them, the driver gives up on a server that
     * accepts a connection and then does not answer. Properties in the URL have precedence.
     *
     * @param timeout how long connecting may take
     * @return none if not overridden; idgen then abandons the connecting thread after the timeout
     */
    default Map<String, String> connectionProperties(Duration timeout) {
        return Map.of();
    }

    /**
     * More of the driver's properties, which a connection pooler between client and server may reject. idgen then
     * connects without them.
     *
     * @param timeout how long connecting may take
     * @return none if not overridden
     */
    default Map<String, String> sessionProperties(Duration timeout) {
        return Map.of();
    }

    /**
     * Whether a connection pooler has rejected {@link #sessionProperties}.
     *
     * @param e the driver's exception on connecting
     * @return false if not overridden
     */
    default boolean refusesSessionProperties(SQLException e) {
        return false;
    }

    /**
     * A {@code CREATE TABLE IF NOT EXISTS} that gives no warning if the table exists. Hibernate runs it at each start,
     * and logs warnings.
     *
     * @param table the name of the table
     * @param statement the statement of the script, on one line
     * @return the statement itself if not overridden
     */
    default String withoutWarning(String table, String statement) {
        return statement;
    }

    /**
     * How one {@code UPDATE} of a counter also returns the new number. It then needs no transaction around it.
     *
     * @return empty if not overridden: idgen reads the row in the same transaction
     */
    default Optional<Returning> returning() {
        return Optional.empty();
    }

    /**
     * An {@code UPDATE} that returns the new value of the column {@code next_id}.
     *
     * @param before the text before the {@code UPDATE}
     * @param sum the new value; its parameter is the amount to add
     * @param after the text after its last condition
     * @param asKey whether the driver returns the value as a generated key, not as a row
     */
    record Returning(String before, String sum, String after, boolean asKey) {

        /**
         * Returns the form of an {@code UPDATE} that returns its row like a query.
         *
         * @param before the text before the {@code UPDATE}
         * @param after the text after its last condition
         * @return the form
         */
        public static Returning row(String before, String after) {
            return new Returning(before, "next_id + ?", after, false);
        }
    }

    /**
     * Whether a single UPDATE in auto-commit mode always reads the newest committed row, at every isolation level, even
     * after a wait for another transaction. idgen then neither reads nor changes the isolation level of a connection
     * for it.
     *
     * @return false if not overridden: such a statement may fail unless the level is READ COMMITTED
     */
    default boolean updatesReadCommitted() {
        return false;
    }

    /**
     * Configures a statement that idgen has created and not yet executed. Override it if the driver has no query
     * timeout. A time limit lets the server end a statement
     * that waits for a lock. Without a limit, its session remains after the client has given up, and each further
     * attempt adds one.
     *
     * @param statement plain, prepared or callable
     * @param timeoutSeconds how long it may run, or 0 for no limit
     * @throws SQLException if the driver fails
     */
    default void configure(Statement statement, int timeoutSeconds) throws SQLException {
        if (timeoutSeconds > 0) {
            statement.setQueryTimeout(timeoutSeconds);
        }
    }

    /**
     * The statement that makes its transaction READ COMMITTED, and no other transaction of the session. Behind a
     * connection pooler, the next transaction of the session may belong to another client.
     *
     * @return a statement to run first in the transaction; empty if not overridden: idgen then changes the isolation
     *     level of the session and restores it
     */
    default Optional<String> readCommittedTransaction() {
        return Optional.empty();
    }

    /**
     * The database's clock. It must return the current time, or a time since the start of the statement. It must not
     * convert through the time zone of the session.
     *
     * @return an expression in whole milliseconds since 1970 UTC
     */
    String nowMillis();

    /**
     * The database's clock for statements that contain the expression several times. Within a statement, it must always
     * return the same time.
     *
     * @return {@link #nowMillis} if not overridden
     */
    default String statementMillis() {
        return nowMillis();
    }

    /**
     * Locks the one row that a query reads. The query then returns the last committed state of the row, and a proxy
     * that splits reads from writes sends the query to the primary.
     *
     * @return a clause to append to the {@code WHERE} of the query, beginning with a space; empty if not overridden,
     *     for databases where every query reads the last committed state
     */
    default String rowLock() {
        return "";
    }

    /**
     * A text that differs between this server and any server that takes over from it, because the new server may lack
     * the last commits. If a crash of the server loses commits that it has acknowledged, the text also differs after a
     * restart.
     *
     * @return an expression of at most 64 characters; the same for all servers if not overridden, which is correct for
     *     a database without replicas
     */
    default String serverIdentity() {
        return "'-'";
    }

    /**
     * The identity for the rows of worker ids, if it depends on what a user may read.
     *
     * @param connection the connection to read the server's properties with; called once
     * @return an expression of at most 64 characters, evaluated in each statement; {@link #serverIdentity} if not
     *     overridden
     * @throws SQLException if the database rejects the query or does not answer
     */
    default String serverIdentityOfLeases(Connection connection) throws SQLException {
        return serverIdentity();
    }

    /**
     * How the rows of counters, whose numbers do not rise with the time, name the server that granted their last ids.
     *
     * @param connection the connection to read the server's properties with; called once
     * @return expressions, evaluated in each statement; those of {@link #serverIdentity} if not overridden
     * @throws SQLException if the database rejects the query or does not answer
     */
    default CounterServer counterServer(Connection connection) throws SQLException {
        return CounterServer.of(serverIdentity());
    }

    /**
     * The name of a server in the column {@code server_id} of counters.
     *
     * @param id the value for this server, at most 64 characters
     * @param isThis the condition that a row names this server; false or null if it does not
     * @param moves whether {@code id} changes while {@code isThis} stays true; each statement then writes it
     */
    record CounterServer(String id, String isThis, boolean moves) {

        /**
         * Returns the name of a server that keeps it.
         *
         * @param identity an expression of at most 64 characters
         * @return the name
         */
        public static CounterServer of(String identity) {
            return new CounterServer(identity, "server_id = " + identity, false);
        }
    }

    /**
     * A condition that is always true and makes the commit durable: the commit is on disk before it is acknowledged,
     * whatever the settings of the session. idgen adds it to each statement that grants ids or raises them.
     *
     * @return for the {@code WHERE} of an {@code UPDATE}; empty if not overridden, for databases whose sessions cannot
     *     weaken their commits
     */
    default Optional<String> durableCommit() {
        return Optional.empty();
    }

    /**
     * How to make sure that a session is in auto-commit mode, if drivers of this database may be wrong about it. A
     * driver that takes a session to be in this mode does not set it, and the session then commits nothing.
     *
     * @return empty if not overridden, for databases whose drivers know the mode
     */
    default Optional<AutoCommit> autoCommit() {
        return Optional.empty();
    }

    /**
     * The auto-commit mode of a session.
     *
     * @param condition true if the session commits each statement by itself; idgen adds it to the {@code WHERE} of
     *     single statements, which otherwise change nothing
     * @param statement sets the mode
     */
    record AutoCommit(String condition, String statement) {}

    /**
     * What an error means.
     *
     * @param e the driver's exception
     * @return the meaning that the SQL standard gives the SQL state, if not overridden
     */
    default Failure failure(SQLException e) {
        return Failure.ofState(e.getSQLState());
    }
}
