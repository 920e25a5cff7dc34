package io.idgen.proof;

import io.idgen.jdbc.testing.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.h2.tools.Server;

/**
 * A server of H2 in a process of its own, with a database in a file. A kill loses the last commits, also with {@code
 * WRITE_DELAY} 0. So it is repaired before the processes reach it again. With steps of the server's clock, a kill can
 * damage the file, so a long run leaves one of the two out.
 */
final class H2Store extends SqlStore {
    private static final String PORT = "port ";

    private final Path folder = Files.createTempDirectory("idgen-h2");
    private ChildJvm server;
    private String port;

    H2Store() throws IOException, SQLException {
        start();
        createTables();
    }

    private void start() throws IOException {
        server = ChildJvm.start(H2Store.class, List.of(folder.toString()));
        port = server.awaitsAfter(PORT);
    }

    /** Runs the server until the input ends. The argument is the folder of the database. */
    public static void main(String[] arguments) throws IOException, SQLException {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-baseDir", arguments[0])
                .start();
        System.out.println(PORT + server.getPort());
        while (System.in.read() >= 0) {
            // until the run ends
        }
        System.exit(0);
    }

    @Override
    public String url(int process) {
        return "jdbc:h2:tcp://localhost:" + port + "/./idgen;USER=sa;PASSWORD=h2-secret";
    }

    @Override
    public Set<Fault> faults() {
        return Set.of(Fault.DATABASE_KILLED, Fault.TABLE_LOCKED, Fault.SERVERS_CLOCK_STEPPED, Fault.RESTORED);
    }

    @Override
    public Cure strike(Fault fault, double extent) throws SQLException {
        return switch (fault) {
            case DATABASE_KILLED -> {
                server.kill();
                yield () -> {
                    start();
                    repairAfterPromotion();
                };
            }
            case TABLE_LOCKED -> {
                Connection connection = connect();
                connection.setAutoCommit(false);
                execute(connection, "SELECT * FROM " + Fault.table(extent) + " FOR UPDATE");
                yield connection::close;
            }
            case RESTORED -> this::restore;
            default -> throw new IllegalArgumentException(fault.text());
        };
    }

    @Override
    public void close() {
        server.kill();
        try {
            Proof.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
