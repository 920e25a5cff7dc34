package io.idgen.jdbc.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionRefusalTest {

    /** The codes of PostgreSQL and MySQL, from their manuals. */
    @ParameterizedTest
    @CsvSource({
        "28P01, 0, wrong password",
        "28000, 1045, access denied",
        "3D000, 0, no such database",
        "42000, 1049, unknown database",
        "42000, 1044, access to the database denied",
        "53300, 0, too many connections",
        "08004, 1040, too many connections",
        "HY000, 1820, You must reset your password using ALTER USER statement before executing this statement.",
        "HY000, 1862, 'Your password has expired. To log in you must change it using a client that supports expired passwords.'",
        "HY000, 3118, Access denied for user 'shop'@'%'. Account is locked.",
        "HY000, 4151, 'Access denied, this account is locked'",
        "08001, 0, Public Key Retrieval is not allowed",
        "S1009, 0, RSA public key is not available client side (option serverRsaPublicKeyFile not set)"
    })
    void aCallerNeedNotWaitForWhatTheServerRefuses(String state, int code, String message) {
        SQLException refused = new SQLException(message, state, code);

        assertThat(ConnectionRefusal.is(refused)).isTrue();
        // as a pool reports that it has no connection
        assertThat(ConnectionRefusal.is(new SQLTransientConnectionException("timed out", null, refused)))
                .isTrue();
    }

    @Test
    void aCallerNeedNotWaitForAnAddressAtWhichNothingListens() {
        assertThat(ConnectionRefusal.is(new SQLException("failed", "08001", new ConnectException("refused"))))
                .isTrue();
        assertThat(ConnectionRefusal.is(new SQLException("failed", "08001", new UnknownHostException("db"))))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "57P03, 0, the server is starting",
        "08001, 0, no connection in time",
        "08006, 0, the connection broke",
        "HYT00, 0, timeout",
        "HY000, 1205, Lock wait timeout exceeded",
        "08S01, 1820, another state",
        ", 0, no state",
        "42, 0, no state of a database"
    })
    void aCallerWaitsForAServerThatIsSlowOrStarting(String state, int code, String message) {
        assertThat(ConnectionRefusal.is(new SQLException(message, state, code))).isFalse();
        assertThat(ConnectionRefusal.is(
                        new SQLException(message, state, code, new SocketTimeoutException("read timed out"))))
                .isFalse();
    }
}
