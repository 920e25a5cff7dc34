package io.idgen.jdbc.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class UrlDataSourceTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @ParameterizedTest
    @EnumSource
    void eachRequestGetsANewConnection(TestDatabase kind) throws SQLException {
        try (Database database = kind.create()) {
            UrlDataSource withUser =
                    new UrlDataSource(database.plainUrl(), database.user(), database.password(), TIMEOUT);
            UrlDataSource withUrlAlone = new UrlDataSource(database.url(), "", "", TIMEOUT);
            try (Connection one = withUser.getConnection();
                    Connection other = withUser.getConnection();
                    Connection third = withUrlAlone.getConnection()) {
                assertThat(one).isNotSameAs(other);
                for (Connection connection : new Connection[] {one, other, third}) {
                    assertThat(connection.isValid(5)).isTrue();
                }
            }
        }
    }

    /** PostgreSQL's driver has no separate timeout for the response to a login, only the general socket timeout. */
    @Test
    @Timeout(60)
    void aServerThatAcceptsAndSaysNothingIsLeftByTheDriverToo() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            UrlDataSource dataSource = new UrlDataSource(
                    "jdbc:postgresql://localhost:" + silent.getLocalPort() + "/shop?sslmode=disable",
                    "u",
                    "secret",
                    Duration.ofSeconds(1));
            FutureTask<Connection> connecting = new FutureTask<>(dataSource::getConnection);
            new Thread(connecting).start();
            try (Socket client = silent.accept()) {
                client.setSoTimeout(30_000);
                InputStream said = client.getInputStream();
                assertThat(said.read()).as("the first byte of a login").isNotNegative();

                assertThat(assertThrows(ExecutionException.class, connecting::get))
                        .hasCauseInstanceOf(SQLException.class);
                assertThat(said.transferTo(OutputStream.nullOutputStream()))
                        .as("the rest of the login, up to its end")
                        .isPositive();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    jdbc:postgresql://localhost/shop?user=u&password=secret | jdbc:postgresql://localhost/shop
                    jdbc:h2:mem:shop;USER=u;PASSWORD=secret | jdbc:h2:mem:shop
                    jdbc:sqlserver://localhost;user=u;password=secret | jdbc:sqlserver://localhost
                    jdbc:h2:mem:shop | jdbc:h2:mem:shop
                    """)
    void itsTextIsItsUrlWithoutParameters(String url, String shown) {
        assertThat(new UrlDataSource(url, "u", "secret", TIMEOUT)).hasToString("connections to " + shown);
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://u:secret@localhost/shop",
        "jdbc:mysql://u:secret@localhost/shop",
        "jdbc:mariadb://u:secret@localhost/shop",
        "jdbc:oracle:thin:u/secret@localhost:1521/shop"
    })
    void itsTextHasNoPasswordFromInFrontOfTheHost(String url) {
        assertThat(new UrlDataSource(url, "", "", TIMEOUT).toString())
                .startsWith("connections to jdbc:")
                .doesNotContain("secret");
    }

    @Test
    void itUnwrapsToItself() throws SQLException {
        UrlDataSource dataSource = new UrlDataSource("jdbc:h2:mem:", "", "", TIMEOUT);

        assertThat(dataSource.isWrapperFor(UrlDataSource.class)).isTrue();
        assertThat(dataSource.unwrap(UrlDataSource.class)).isSameAs(dataSource);
        assertThat(dataSource.isWrapperFor(Connection.class)).isFalse();
    }
}
