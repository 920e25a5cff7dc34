package io.idgen.jdbc;

import io.idgen.jdbc.testing.Wrapped;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A connection to PostgreSQL through a proxy that can stop forwarding without closing the connection. */
final class BlackHole implements AutoCloseable {
    private final ServerSocket entrance = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final Connection kept;
    private volatile boolean swallowing;

    BlackHole(DataSource postgreSql) throws IOException, SQLException {
        PGSimpleDataSource real = postgreSql.unwrap(PGSimpleDataSource.class);
        Socket exit = new Socket(real.getServerNames()[0], real.getPortNumbers()[0]);
        start(() -> {
            Socket inside = entrance.accept();
            start(() -> pass(exit.getInputStream(), inside.getOutputStream()));
            pass(inside.getInputStream(), exit.getOutputStream());
        });
        PGSimpleDataSource through = new PGSimpleDataSource();
        through.setUrl(real.getURL());
        through.setUser(real.getUser());
        through.setPassword(real.getPassword());
        through.setServerNames(new String[] {entrance.getInetAddress().getHostAddress()});
        through.setPortNumbers(new int[] {entrance.getLocalPort()});
        kept = through.getConnection();
    }

    DataSource dataSource() {
        return Wrapped.dataSource(
                () -> Wrapped.wrap(Connection.class, kept, call -> call.is("close") ? null : call.proceed()));
    }

    void swallow() {
        swallowing = true;
    }

    private void pass(InputStream in, OutputStream out) throws IOException {
        byte[] some = new byte[8192];
        for (int count = in.read(some); count >= 0; count = in.read(some)) {
            if (!swallowing) {
                out.write(some, 0, count);
            }
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // one of the two ends has closed the connection
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException, SQLException {
        entrance.close();
        kept.abort(Runnable::run);
    }
}
