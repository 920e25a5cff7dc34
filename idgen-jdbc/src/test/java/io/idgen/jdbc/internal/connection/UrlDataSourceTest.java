package io.idgen.jdbc.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.TestDatabase;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class UrlDataSourceTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @ParameterizedTest
    @EachDatabase
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

    private static final String[] FORMS = {
        "jdbc:postgresql://u:secret@localhost:1/shop",
        "jdbc:postgresql://u:secret@localhost/shop",
        "jdbc:postgresql://u:p@secret@localhost:1/shop",
        "jdbc:postgresql://u:p/secret@localhost:1/shop",
        "jdbc:postgresql://localhost:1/shop?user=u&password=p@secret",
        "jdbc:mysql://u:secret@localhost:1/shop",
        "jdbc:mysql://u:p@secret@localhost:1/shop",
        "jdbc:mysql://u:other@localhost:1,u:secret@localhost:2/shop",
        "jdbc:mysql://address=(host=localhost)(port=1)(user=u)(password=secret)/shop",
        "jdbc:mysql://address=(host=localhost)(port=1)(password=p@secret)/shop",
        "jdbc:mysql://(host=localhost,port=1,user=u,password=secret)/shop",
        "jdbc:mysql://(host=localhost,port=x1,user=u,password=p/secret)/shop",
        "jdbc:mysql://u:secret@[(host=localhost,port=1),(host=localhost,port=2)]/shop",
        "jdbc:mysql://u:%73ecret@localhost:x/shop",
        "jdbc:mariadb://u:secret@localhost:1/shop",
        "jdbc:mariadb://u:p@secret@localhost:1/shop",
        "jdbc:mariadb://address=(host=localhost)(port=1)(password=secret)/shop",
        "jdbc:mariadb://localhost:1/shop?user=u&password=se%63ret&connectTimeout=secret",
        "jdbc:h2:tcp://localhost:1/shop;USER=u;PASSWORD=secret;SECRET=secret",
        "jdbc:oracle:thin:u/secret@localhost:1521/shop",
        "jdbc:sqlserver://localhost;user=u;password=secret",
        "jdbc:db2://localhost:50000/shop:user=u;password=secret;",
        "jdbc:db2://localhost:50000/shop:password=secret;",
        "jdbc:unknown:u/secret",
        "postgresql://u:secret@localhost/shop"
    };

    static String[] forms() {
        return FORMS;
    }

    /** Neither the text nor any exception of the chain has a part of the password. */
    @ParameterizedTest
    @MethodSource("forms")
    void neitherItsTextNorItsErrorsHaveAPassword(String url) {
        UrlDataSource dataSource = new UrlDataSource(url, "", "", Duration.ofSeconds(1));
        assertThat(dataSource.toString()).startsWith("connections to ").doesNotContainIgnoringCase("secret");

        SQLException failure = assertThrows(SQLException.class, dataSource::getConnection);

        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace, true));
        assertThat(trace.toString()).doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    jdbc:postgresql://h1:5432,h2/shop | jdbc:postgresql://h1:5432,h2/shop
                    jdbc:postgresql://[::1]:5432/shop | jdbc:postgresql://[::1]:5432/shop
                    jdbc:postgresql:shop | jdbc:postgresql:shop
                    jdbc:postgresql:///shop | jdbc:postgresql:///shop
                    jdbc:postgresql://u:p@w@db:5432/shop | jdbc:postgresql://***@db:5432/shop
                    jdbc:mysql:loadbalance://u:p@h1,u:p@h2/shop?user=me@corp | jdbc:mysql:loadbalance://***@h2/shop
                    jdbc:mysql://(host=h1,password=p)/shop | jdbc:mysql://***
                    jdbc:mysql://u:1?p=w@h1/shop | jdbc:mysql://***
                    jdbc:mysql://u:1?p@h1/shop | jdbc:mysql://***
                    jdbc:sqlserver://db\\shop:1433;databaseName=shop | jdbc:sqlserver://db\\shop:1433
                    jdbc:oracle:thin:u/p@//db:1521/shop | jdbc:oracle:thin:***@//db:1521/shop
                    jdbc:oracle:thin:@db:1521:shop | jdbc:oracle:thin:@db:1521:shop
                    jdbc:h2:file:C:\\data\\my shop | jdbc:h2:file:C:\\data\\my shop
                    jdbc:h2:tcp://localhost:9092/~/shop | jdbc:h2:tcp://localhost:9092/~/shop
                    jdbc:sqlite:/var/shop.db | jdbc:sqlite:/var/shop.db
                    u:p@h | ***
                    """)
    void itsTextIsTheRecognisedPartOfItsUrl(String url, String shown) {
        assertThat(new UrlDataSource(url, "", "", TIMEOUT)).hasToString("connections to " + shown);
    }

    /** The rest of the message stays, since it names the cause. */
    @Test
    void anErrorStillNamesItsCause() {
        UrlDataSource dataSource =
                new UrlDataSource("jdbc:postgresql://localhost:1/shop?user=u&password=to", "", "", TIMEOUT);

        assertThatThrownBy(dataSource::getConnection)
                .hasMessageStartingWith("Connection *** localhost:1 refused.")
                .hasCauseInstanceOf(ConnectException.class);
    }

    @Test
    void itUnwrapsToItself() throws SQLException {
        UrlDataSource dataSource = new UrlDataSource("jdbc:h2:mem:", "", "", TIMEOUT);

        assertThat(dataSource.isWrapperFor(UrlDataSource.class)).isTrue();
        assertThat(dataSource.unwrap(UrlDataSource.class)).isSameAs(dataSource);
        assertThat(dataSource.isWrapperFor(Connection.class)).isFalse();
    }
}
