package io.idgen.jdbc;

import io.idgen.jdbc.testing.Wrapped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** Counts the statements of all connections of a data source, on all threads. */
final class StatementCounter {
    private static final Set<String> SESSION = Set.of("setAutoCommit", "setTransactionIsolation", "setReadOnly");

    private final DataSource real;
    private final AtomicLong statements = new AtomicLong();
    private final AtomicLong transactionEnds = new AtomicLong();
    private final AtomicLong sessionChanges = new AtomicLong();

    StatementCounter(DataSource real) {
        this.real = real;
    }

    /** Returns a data source for the same database that counts statements. */
    DataSource dataSource() {
        return Wrapped.dataSource(() -> counted(real.getConnection()));
    }

    /** Returns the counts so far. */
    Counts counts() {
        return new Counts(statements.get(), transactionEnds.get(), sessionChanges.get());
    }

    /**
     * The numbers of statements.
     *
     * @param transactionEnds commits and rollbacks
     * @param sessionChanges changes of auto-commit and isolation; some drivers send them to the server, others do not
     */
    record Counts(long statements, long transactionEnds, long sessionChanges) {
        Counts minus(Counts before) {
            return new Counts(
                    statements - before.statements,
                    transactionEnds - before.transactionEnds,
                    sessionChanges - before.sessionChanges);
        }
    }

    private Connection counted(Connection connection) throws SQLException {
        return Wrapped.wrap(Connection.class, connection, call -> {
            if (call.is("commit") || call.is("rollback")) {
                transactionEnds.incrementAndGet();
            } else if (SESSION.contains(call.method().getName())) {
                sessionChanges.incrementAndGet();
            }
            Object answer = call.proceed();
            if (answer instanceof PreparedStatement statement) {
                return counted(PreparedStatement.class, statement);
            }
            return answer instanceof Statement statement ? counted(Statement.class, statement) : answer;
        });
    }

    private <T> T counted(Class<T> type, T statement) {
        return Wrapped.wrap(type, statement, call -> {
            if (call.method().getName().startsWith("execute")) {
                statements.incrementAndGet();
            }
            return call.proceed();
        });
    }
}
