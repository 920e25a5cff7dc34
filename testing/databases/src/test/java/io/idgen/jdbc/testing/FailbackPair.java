package io.idgen.jdbc.testing;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Two servers of MariaDB or MySQL that take turns as the primary. Both run all the time, so a former primary has its
 * old identity when it becomes the primary again, unless it is rebuilt physically. After a takeover, the former primary is rebuilt from the data of the
 * new one, and follows it.
 */
public final class FailbackPair extends MySqlPair {
    private static final List<String> TABLES = List.of("idgen_worker", "idgen_counter");

    private boolean isPhysical;

    private FailbackPair(Replication replication) throws SQLException {
        super(replication);
    }

    /** Rebuilds servers by CLONE or {@code mariadb-backup} from now on, so that they start again. */
    public FailbackPair rebuiltPhysically() {
        isPhysical = true;
        return this;
    }

    public static FailbackPair ofMariaDb() throws SQLException {
        return new FailbackPair(Replication.MARIADB);
    }

    public static FailbackPair ofMySql() throws SQLException {
        return new FailbackPair(Replication.MYSQL);
    }

    /** Lets the primary also follow its replica, which accepts writes from now on. */
    public void circulate() throws SQLException {
        replication.circulate(primary, replica);
    }

    /** Fences off the primary and promotes its replica. Both keep their ports, and neither is restarted. */
    @Override
    public void takeOver() throws SQLException {
        Replication.execute(primary, "SET GLOBAL read_only = 1");
        replication.promote(replica);
        ReplicableServer former = primary;
        primary = replica;
        replica = former;
        if (isPhysical) {
            replica.rebuildFrom(primary);
        } else {
            for (String table : TABLES) {
                copy(table);
            }
        }
        replication.follow(primary, replica, replication.positionOf(primary));
    }

    /** Gives the replica the rows of the primary, as a dump does. */
    private void copy(String table) throws SQLException {
        try (Connection from = DriverManager.getConnection(url());
                Connection to = DriverManager.getConnection(replicaUrl());
                Statement select = from.createStatement();
                Statement delete = to.createStatement();
                ResultSet rows = select.executeQuery("SELECT * FROM " + table)) {
            to.setAutoCommit(false);
            delete.execute("DELETE FROM " + table);
            int columns = rows.getMetaData().getColumnCount();
            try (PreparedStatement insert =
                    to.prepareStatement("INSERT INTO " + table + " VALUES (?" + ", ?".repeat(columns - 1) + ")")) {
                while (rows.next()) {
                    for (int i = 1; i <= columns; i++) {
                        insert.setObject(i, rows.getObject(i));
                    }
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            to.commit();
        }
    }
}
