package io.idgen.jdbc.testing;

import java.sql.SQLException;
import org.h2.tools.Server;

/** Gives other processes access to the databases in the memory of this process; ends with it. */
final class H2Server {

    private H2Server() {}

    static int port() {
        return Holder.SERVER.getPort();
    }

    private static final class Holder {
        static final Server SERVER = start();

        private static Server start() {
            try {
                return Server.createTcpServer("-tcpPort", "0", "-tcpDaemon").start();
            } catch (SQLException e) {
                throw new IllegalStateException("the server of H2 did not come up", e);
            }
        }
    }
}
