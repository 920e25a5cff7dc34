package io.idgen.jdbc.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride.Override;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HikariPoolTest {
    private static HikariDataSource pool(String url) {
        return HikariPool.of(new UrlDataSource(url, "", "", Duration.ofSeconds(1)), Duration.ofSeconds(1));
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:h2:tcp://localhost/shop, 90067, true",
        "jdbc:h2:tcp://localhost/shop, 90098, true",
        "jdbc:h2:tcp://localhost/shop, 90121, true",
        "jdbc:h2:tcp://localhost/shop, 90036, false",
        "jdbc:postgresql://localhost/shop, 90121, false",
        "jdbc:unknown://localhost/shop, 90121, false"
    })
    void aConnectionIsEvictedIfItsDialectSaysThatItIsBroken(String url, int code, boolean broken) {
        try (HikariDataSource pool = pool(url)) {
            assertThat(pool.getExceptionOverride().adjudicate(new SQLException("of a test", "" + code, code)))
                    .isEqualTo(broken ? Override.MUST_EVICT : Override.CONTINUE_EVICT);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:h2:mem:, TRANSACTION_READ_COMMITTED",
        "jdbc:mariadb://localhost/shop, TRANSACTION_READ_COMMITTED",
        "jdbc:postgresql://localhost/shop,"
    })
    void theIsolationIsSetOnceWhereTransactionsCannotSetItThemselves(String url, String isolation) {
        try (HikariDataSource pool = pool(url)) {
            assertThat(pool.getTransactionIsolation()).isEqualTo(isolation);
        }
    }
}
