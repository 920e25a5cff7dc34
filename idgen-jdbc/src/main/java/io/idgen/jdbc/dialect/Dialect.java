package io.idgen.jdbc.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What differs between databases: one small class each. A database that none of them knows is refused, not guessed.
 *
 * <p>A dialect for one more database is a class that says its name and its product, registered in {@code
 * META-INF/services/io.idgen.jdbc.dialect.Dialect}, with the scripts {@code idgen/schema/<name>/create.sql} and {@code
 * drop.sql} beside it; all else has an answer that databases near the SQL standard share. It comes before the ones that
 * idgen brings. Implementations have no state.
 *
 * <p>It is longer than other types: all that databases answer differently stands here once, with the standard's answer.
 */
public interface Dialect {

    /**
     * As its folder of scripts is called.
     *
     * @return lower case letters
     */
    String name();

    /**
     * Whether a database speaks this dialect.
     *
     * @param product its name, as the driver's metadata gives it
     * @param version its version, as the driver's metadata gives it
     * @return true for one dialect
     */
    boolean speaks(String product, String version);

    /**
     * Whether this database's driver takes a JDBC URL.
     *
     * @param url as it was given to the driver
     * @return true for a URL that begins with {@code jdbc:} and this dialect's name, if not overridden
     */
    default boolean takes(String url) {
        String prefix = "jdbc:" + name() + ":";
        return url.regionMatches(true, 0, prefix, 0, prefix.length());
    }

    /**
     * Whether a database is in the memory of this process.
     *
     * @param url a JDBC URL that this dialect {@linkplain #takes}, in lower case
     * @return false if not overridden
     */
    default boolean isInMemory(String url) {
        return false;
    }

    /**
     * Whether no other process can open a database: it is in the memory of this process, or in files that it locks.
     *
     * @param url a JDBC URL that this dialect {@linkplain #takes}, in lower case
     * @return as {@link #isInMemory} if not overridden
     */
    default boolean isOwnedByThisProcess(String url) {
        return isInMemory(url);
    }

    /**
     * The URL by which the driver opens a database only if it exists. For commands that must not create a file.
     *
     * @param url a JDBC URL that this dialect {@linkplain #takes}
     * @return the URL itself if not overridden, for drivers that create no database
     */
    default String ofExisting(String url) {
        return url;
    }

    /**
     * The driver's properties for connections that idgen opens by itself. They give up a server that accepts a
     * connection and then does not answer. Properties in the URL come before these.
     *
     * @param timeout how long connecting may take
     * @return none if not overridden; idgen then leaves the thread behind that connects
     */
    default Map<String, String> connectionProperties(Duration timeout) {
        return Map.of();
    }

    /**
     * More of the driver's properties, which a connection pooler between client and server may refuse. idgen then
     * connects without them.
     *
     * @param timeout how long connecting may take
     * @return none if not overridden
     */
    default Map<String, String> sessionProperties(Duration timeout) {
        return Map.of();
    }

    /**
     * Whether a connection pooler has refused {@link #sessionProperties}.
     *
     * @param e what the driver threw when it should connect
     * @return false if not overridden
     */
    default boolean refusesSessionProperties(SQLException e) {
        return false;
    }

    /**
     * Configures a connection that idgen has borrowed. Sends nothing to the database.
     *
     * @param connection of an application's pool, perhaps wrapped
     * @return undoes it before the connection is given back; does nothing if not overridden
     * @throws SQLException if the driver refuses
     */
    default Restoration configure(Connection connection) throws SQLException {
        return () -> {};
    }

    /** Undoes what {@link #configure(Connection)} has done. */
    @FunctionalInterface
    interface Restoration {
        /**
         * Undoes it.
         *
         * @throws SQLException if the connection is broken
         */
        void restore() throws SQLException;
    }

    /**
     * Hibernate's class for this database, so that a schema that Hibernate makes includes idgen's tables. Each
     * statement of {@code create.sql} must then leave alone a table that exists: Hibernate runs them again at each
     * start.
     *
     * @return the full name of a class, for example {@code org.hibernate.dialect.H2Dialect}, whose subclasses count
     *     too; empty if not overridden, where Hibernate makes no tables of idgen
     */
    default Optional<String> hibernateDialect() {
        return Optional.empty();
    }

    /**
     * A {@code CREATE TABLE IF NOT EXISTS} that gives no warning if the table exists. Hibernate runs it at each start,
     * and logs warnings.
     *
     * @param table the name of the table
     * @param statement the statement of {@code create.sql}, on one line
     * @return the statement itself if not overridden
     */
    default String withoutWarning(String table, String statement) {
        return statement;
    }

    /**
     * The command that runs statements from its standard input, for messages to a person.
     *
     * @return a command with the places {@code {host}}, {@code {port}}, {@code {user}} and {@code {database}}, each in
     *     a word of its own; empty if not overridden, where messages have the statements alone
     */
    default Optional<String> client() {
        return Optional.empty();
    }

    /**
     * Whether {@link #addAndGet} is a single statement, which needs no transaction around it.
     *
     * @return false if not said
     */
    default boolean addsInOneStatement() {
        return false;
    }

    /**
     * Whether a single UPDATE in auto-commit reads the newest committed row at every isolation level, also if it has
     * waited for another transaction. Then idgen neither reads nor changes the isolation level of a connection for it.
     *
     * @return false if not overridden: such a statement may fail unless the level is READ COMMITTED
     */
    default boolean updatesReadCommitted() {
        return false;
    }

    /**
     * Adds to a counter and gives the new number; atomic, so that of any number of callers each gets another one. If
     * not overridden, an update and then a select of the row that it has locked, which needs a transaction.
     *
     * @param connection in auto-commit if one statement is enough, else in a transaction
     * @param counter the column
     * @param amount how much is added
     * @param key the values of the counter's keys
     * @param atLeast the smallest number that may be raised
     * @param atMost the largest number that may be raised
     * @return the new number, or empty if there is no such row or its number is outside these limits
     * @throws SQLException if the database refuses
     */
    default OptionalLong addAndGet(
            Connection connection, Counter counter, long amount, List<?> key, long atLeast, long atMost)
            throws SQLException {
        return counter.updateThenSelect(connection, amount, key, atLeast, atMost);
    }

    /**
     * Configures a statement that idgen has created and not yet executed. A limit on its time lets the server end a
     * statement that waits for a lock; otherwise its session stays when the client has given up, and each further
     * attempt adds one.
     *
     * @param statement plain, prepared or callable
     * @param timeoutSeconds how long it may run, or 0 for no limit
     * @throws SQLException if the driver refuses
     */
    default void configure(Statement statement, int timeoutSeconds) throws SQLException {
        if (timeoutSeconds > 0) {
            statement.setQueryTimeout(timeoutSeconds);
        }
    }

    /**
     * The statement that makes a transaction READ COMMITTED and no other transaction of its session. Behind a
     * connection pooler the next transaction of the session may be another client's.
     *
     * @return a statement that comes first in its transaction; or empty, as it is if not overridden, to change the
     *     isolation of the session and to restore it
     */
    default Optional<String> readCommittedTransaction() {
        return Optional.empty();
    }

    /**
     * The query for the next value of a sequence.
     *
     * @param sequence its name, checked to be nothing else
     * @return a query of one row with the value in its first column, or empty if the database has no sequences
     */
    default Optional<String> nextValue(String sequence) {
        return Optional.empty();
    }

    /**
     * The query for several values of a sequence in one statement.
     *
     * @param sequence its name, checked to be nothing else
     * @param count how many, at least 2
     * @return a query of that many rows, each with another value in its first column; empty if not overridden, where a
     *     statement returns one value
     */
    default Optional<String> nextValues(String sequence, int count) {
        return Optional.empty();
    }

    /**
     * The query for the next value of a sequence together with what {@link #sequence} returns.
     *
     * @param sequence its name, checked to be nothing else
     * @return a query of one row: the value, the increment, and whether it cycles; empty if not overridden, where two
     *     statements read them
     */
    default Optional<String> nextValueWithFacts(String sequence) {
        return Optional.empty();
    }

    /**
     * What the database says of a sequence; the standard's {@code INFORMATION_SCHEMA} if not overridden.
     *
     * @param connection to ask
     * @param schema as the catalog spells it, or null for the current one
     * @param name as the catalog spells it
     * @return its facts, or empty if there is no such sequence, or none that may be seen
     * @throws SQLException if the database refuses
     */
    default Optional<SequenceFacts> sequence(Connection connection, @Nullable String schema, String name)
            throws SQLException {
        return SequenceFacts.find(
                connection,
                "SELECT INCREMENT, CYCLE_OPTION FROM INFORMATION_SCHEMA.SEQUENCES WHERE SEQUENCE_NAME = ?"
                        + " AND SEQUENCE_SCHEMA = " + (schema == null ? "CURRENT_SCHEMA" : "?"),
                schema == null ? List.of(name) : List.of(name, schema));
    }

    /**
     * The clock: the time of this moment, at the earliest of when the statement began, and never through a time zone of
     * the session.
     *
     * @return an expression in whole milliseconds since 1970 UTC, or empty if worker ids cannot be leased on this
     *     database
     */
    default Optional<String> nowMillis() {
        return Optional.empty();
    }

    /**
     * The same time at each place of a statement that has the expression several times.
     *
     * @return {@link #nowMillis} if not overridden; if empty, a takeover can repeat ids of counters
     */
    default Optional<String> statementMillis() {
        return nowMillis();
    }

    /**
     * Locks the one row that a query reads. The query then returns the last committed state of the row, and a proxy
     * that splits reads from writes sends it to the server that writes.
     *
     * @return what follows the {@code WHERE} of the query, with a space in front; empty if not overridden, where every
     *     query reads what is committed
     */
    default String rowLock() {
        return "";
    }

    /**
     * A text that differs between this server and any that takes over from it, for that one may lack the last commits.
     * If a crash of the server loses commits that it has acknowledged, the text also differs after a restart.
     *
     * @return an expression of at most 64 characters; the same for all servers if not overridden, which is right for a
     *     database without replicas
     */
    default String serverIdentity() {
        return "'-'";
    }

    /**
     * The same for the rows of counters, whose numbers do not rise with the time: it also differs after each restart,
     * if another server may have taken over meanwhile.
     *
     * @param connection to ask what the server knows; asked once
     * @return an expression of at most 64 characters, evaluated in each statement; {@link #serverIdentity} if not
     *     overridden
     * @throws SQLException if the database refuses
     */
    default String serverIdentityOfCounters(Connection connection) throws SQLException {
        return serverIdentity();
    }

    /**
     * A condition that is always true, and by which the commit of its transaction is on disk before it is acknowledged,
     * whatever the session is set to. idgen adds it to each statement that hands out ids or raises them.
     *
     * @return for the {@code WHERE} of an {@code UPDATE}; empty if not overridden, where a session cannot weaken its
     *     commits
     */
    default Optional<String> durableCommit() {
        return Optional.empty();
    }

    /**
     * The settings of this database by which a crash loses commits that it has acknowledged, and which {@link
     * #durableCommit} cannot change.
     *
     * @return a query that returns them as one text, or no row if commits are durable; empty if not overridden, where
     *     no statement shows them
     */
    default Optional<String> settingsThatLoseCommits() {
        return Optional.empty();
    }

    /**
     * Whether a statement failed because its table does not exist.
     *
     * @param e what the driver threw
     * @return true for the standard's 42S02 if not overridden
     */
    default boolean isMissingTable(SQLException e) {
        return "42S02".equals(e.getSQLState());
    }

    /**
     * Whether an insert failed because its key exists.
     *
     * @param e what the driver threw
     * @return true for 23505 if not overridden
     */
    default boolean isDuplicateKey(SQLException e) {
        return "23505".equals(e.getSQLState());
    }

    /**
     * Whether a sequence has given its last value.
     *
     * @param e what the driver threw
     * @return true for the standard's 2200H if not overridden
     */
    default boolean isExhausted(SQLException e) {
        return "2200H".equals(e.getSQLState());
    }

    /**
     * Whether a statement failed because this server, or this connection to it, may not write: a replica, or a server
     * that is becoming one. Another connection may lead elsewhere.
     *
     * @param e what the driver threw
     * @return true for 25006 if not overridden
     */
    default boolean isReadOnly(SQLException e) {
        return "25006".equals(e.getSQLState());
    }

    /**
     * Whether the database has rolled a transaction back because of concurrent ones: a deadlock or a serialization
     * failure. Nothing of it is done, and it can be repeated at once.
     *
     * @param e what the driver threw
     * @return true for 40001 if not overridden
     */
    default boolean isRolledBack(SQLException e) {
        return "40001".equals(e.getSQLState());
    }

    /**
     * Whether a statement was not executed because a connection pooler has changed the session behind the connection,
     * and the prepared statements of the two are not the same. It can be repeated at once on another connection.
     *
     * @param e what the driver threw
     * @return false if not overridden
     */
    default boolean isOfAnotherSession(SQLException e) {
        return false;
    }

    /**
     * Whether a connection is broken although the SQL state of its error does not begin with 08, so that a pool must
     * not keep it.
     *
     * @param e what the driver threw
     * @return false if not overridden
     */
    default boolean isBrokenConnection(SQLException e) {
        return false;
    }

    /**
     * Whether the database has understood a statement and refuses it, so that it need not be repeated: no grant, no
     * such column, a value that does not fit.
     *
     * @param e what the driver threw
     * @return true for the classes 22 and 42 if not overridden
     */
    default boolean isRefusal(SQLException e) {
        String state = e.getSQLState();
        return state != null && (state.startsWith("22") || state.startsWith("42"));
    }
}
