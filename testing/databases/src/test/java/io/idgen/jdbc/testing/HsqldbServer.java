package io.idgen.jdbc.testing;

import org.hsqldb.server.Server;
import org.hsqldb.server.ServerConstants;

/** Gives other processes access to one database in the memory of this process; ends with the database. */
final class HsqldbServer {
    private final Server server = new Server();
    private final String url;

    HsqldbServer(String database) {
        int port = FreePort.find();
        server.setLogWriter(null); // first, because the server logs each setting
        server.setErrWriter(null);
        server.setAddress("localhost");
        server.setPort(port);
        server.setDatabaseName(0, database);
        server.setDatabasePath(0, "mem:" + database);
        server.setDaemon(true);
        url = "jdbc:hsqldb:hsql://localhost:" + port + "/" + database;
    }

    String url() {
        return url;
    }

    void start() {
        server.start();
        if (server.getState() != ServerConstants.SERVER_STATE_ONLINE) {
            throw new IllegalStateException("the server of HSQLDB did not come up", server.getServerError());
        }
    }
}
