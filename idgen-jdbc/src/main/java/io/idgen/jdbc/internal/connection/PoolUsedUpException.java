package io.idgen.jdbc.internal.connection;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/** The application's pool has no connection for idgen, probably because threads that wait for ids hold all of them. */
final class PoolUsedUpException extends SQLTransientConnectionException {
    private static final long serialVersionUID = 1L;

    PoolUsedUpException(String message, SQLException cause) {
        super(message, "08001", cause);
    }
}
