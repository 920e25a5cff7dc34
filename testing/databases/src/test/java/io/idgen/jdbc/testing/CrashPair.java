package io.idgen.jdbc.testing;

import java.sql.SQLException;

/** A primary of MariaDB or MySQL, which is killed in a takeover, and its replica, which moves to the primary's port. */
public final class CrashPair extends MySqlPair {
    private int servers = 2;
    private boolean isCut;

    private CrashPair(Replication replication) throws SQLException {
        super(replication);
    }

    /** Starts both servers and the replication, and creates an empty database. */
    public static CrashPair ofMariaDb() throws SQLException {
        return new CrashPair(Replication.MARIADB);
    }

    /** Starts both servers and the replication, and creates an empty database. */
    public static CrashPair ofMySql() throws SQLException {
        return new CrashPair(Replication.MYSQL);
    }

    @Override
    public void cut() throws SQLException {
        super.cut();
        isCut = true;
    }

    @Override
    public void takeOver() throws SQLException {
        RestartableServer.kill(primary);
        if (!isCut) {
            replication.drain(replica);
        }
        isCut = false;
        replication.promote(replica);
        String position = replication.positionOf(replica);
        replica.stop();
        replica.moveTo(primary.port());
        primary.delete();
        primary = replica;
        servers++;
        replica = primary.copy(replication.options(servers));
        primary.start();
        replica.start();
        replication.follow(primary, replica, position);
    }
}
