package io.idgen.proof;

import io.idgen.jdbc.testing.CrashPair;
import io.idgen.jdbc.testing.PostgreSqlPair;
import io.idgen.jdbc.testing.ReplicatedPair;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;

/** A primary with its replica. */
final class SqlPair extends SqlStore {
    private final boolean isPostgreSql;
    private final ReplicatedPair pair;

    SqlPair(Kind kind) throws Exception {
        this.isPostgreSql = kind == Kind.POSTGRESQL;
        this.pair = switch (kind) {
            case POSTGRESQL -> new PostgreSqlPair();
            case MARIADB -> CrashPair.ofMariaDb();
            case MYSQL -> CrashPair.ofMySql();
            default -> throw new IllegalArgumentException(kind.name());
        };
        if (!isPostgreSql) {
            allowFunctions(pair.replicaUrl());
            allowFunctions(pair.url());
        }
        createTables();
    }

    @Override
    public String url(int process) {
        return pair.url();
    }

    @Override
    public Set<Fault> faults() {
        Set<Fault> faults = EnumSet.of(
                Fault.DATABASE_KILLED,
                Fault.TABLE_LOCKED,
                Fault.CONNECTIONS_USED_UP,
                Fault.TAKEOVER,
                Fault.SERVERS_CLOCK_STEPPED,
                Fault.RESTORED);
        if (isPostgreSql) { // its users obey read-only mode, and its answers have a known end
            faults.addAll(Set.of(Fault.REQUESTS_REPEATED, Fault.READ_ONLY));
        }
        return faults;
    }

    @Override
    public Cure strike(Fault fault, double extent) throws SQLException {
        return switch (fault) {
            case DATABASE_KILLED -> {
                pair.crash();
                yield Cure.NONE;
            }
            case TABLE_LOCKED -> lock(Fault.table(extent));
            case CONNECTIONS_USED_UP -> useUpConnections();
            case READ_ONLY -> readOnly();
            case TAKEOVER -> {
                pair.cut();
                yield pair::takeOver;
            }
            case RESTORED -> this::restore;
            default -> throw new IllegalArgumentException(fault.text());
        };
    }

    /** Locks a table against everybody else. */
    private Cure lock(String table) throws SQLException {
        Connection connection = connect();
        if (isPostgreSql) {
            connection.setAutoCommit(false);
            execute(connection, "LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE");
        } else {
            execute(connection, "LOCK TABLES " + table + " WRITE");
        }
        return connection::close;
    }

    /** Makes new connections read-only. On PostgreSQL only: the users of the other servers may write nevertheless. */
    private Cure readOnly() throws SQLException {
        try (Connection connection = connect()) {
            execute(connection, "ALTER DATABASE idgen SET default_transaction_read_only = on");
        }
        return () -> {
            try (Connection connection = connect()) {
                execute(connection, "SET default_transaction_read_only = off");
                execute(connection, "ALTER DATABASE idgen RESET default_transaction_read_only");
            }
        };
    }

    @Override
    public void close() {
        pair.close();
    }
}
