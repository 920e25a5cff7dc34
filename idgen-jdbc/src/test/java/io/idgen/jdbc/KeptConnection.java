package io.idgen.jdbc;

import io.idgen.jdbc.testing.Wrapped;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** A pool of one connection that does not reset it, so that a test sees the state that a borrower leaves behind. */
final class KeptConnection implements AutoCloseable {
    private final Connection real;
    private final List<Integer> networkTimeouts = new ArrayList<>();
    private int borrowed;
    private int networkTimeout;

    KeptConnection(DataSource dataSource, boolean autoCommit, int isolation, int networkTimeoutMillis)
            throws SQLException {
        this.real = dataSource.getConnection();
        this.networkTimeout = networkTimeoutMillis;
        real.setTransactionIsolation(isolation);
        real.setAutoCommit(autoCommit);
    }

    DataSource dataSource() {
        return Wrapped.dataSource(() -> {
            borrowed++;
            return Wrapped.wrap(Connection.class, real, call -> {
                if (call.is("close")) {
                    return null;
                }
                if (call.is("getNetworkTimeout")) {
                    return networkTimeout; // H2 does not keep this setting
                }
                Object answer = call.proceed();
                if (call.is("setNetworkTimeout")) { // not reached if the driver has no network timeout and throws
                    networkTimeout = (Integer) call.arguments()[1];
                    networkTimeouts.add(networkTimeout);
                }
                return answer;
            });
        });
    }

    Connection real() {
        return real;
    }

    int borrowed() {
        return borrowed;
    }

    int networkTimeout() {
        return networkTimeout;
    }

    /** Returns all network timeouts that borrowers have set, in order. */
    List<Integer> networkTimeouts() {
        return networkTimeouts;
    }

    @Override
    public void close() throws SQLException {
        real.close();
    }
}
