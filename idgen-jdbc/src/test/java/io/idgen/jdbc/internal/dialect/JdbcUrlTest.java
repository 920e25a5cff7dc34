package io.idgen.jdbc.internal.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.config.IdSources;
import io.idgen.core.testing.LogLines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets in URLs. {@code UrlDataSourceTest} tests the texts and errors of connections. */
class JdbcUrlTest {
    private static final String LOGIN_IN_FRONT = "jdbc:postgresql://u:secret@localhost/shop";

    @ParameterizedTest
    @CsvSource({"snowflake, idgen.jdbc.url", "segment, idgen.jdbc.url", "stepped, idgen.stepped.1.url"})
    void aLoginInFrontOfPostgreSqlsHostIsRefusedBeforeTheDriverLogsIt(String strategy, String setting) {
        IdSources.Builder sources = IdSources.builder()
                .source("orders")
                .set("idgen.strategy", strategy)
                .set(setting, LOGIN_IN_FRONT);
        try (LogLines log = new LogLines("org.postgresql")) {
            ConfigurationException e = assertThrows(ConfigurationException.class, sources::build);

            assertThat(e.code()).isEqualTo(ErrorCode.INVALID_SETTING);
            assertThat(e)
                    .hasMessageContaining("must have no user and password in front of the host")
                    .hasMessageNotContaining("secret");
            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    void theControlIsTheDriverThatLogsIt() {
        try (LogLines log = new LogLines("org.postgresql")) {
            assertThat(new org.postgresql.Driver().acceptsURL(LOGIN_IN_FRONT)).isFalse();

            assertThat(log.lines()).anyMatch(line -> line.contains("secret"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://localhost/shop?user=u&password=p@secret",
                "jdbc:mysql://u:secret@localhost/shop",
                "jdbc:mariadb://u:secret@localhost/shop"
            })
    void aLoginThatTheDriverReadsIsNotRefused(String url) {
        assertThat(JdbcUrl.checked(url)).isEqualTo(url);
    }

    @Test
    void aPasswordIsRemovedFromAnErrorAsTheDriverDecodesItToo() {
        JdbcUrl url = new JdbcUrl("jdbc:mysql://u:p%40ss%77ord@localhost/shop");

        assertThat(url.removedFrom("p@ssword is wrong, from p%40ss%77ord", "")).isEqualTo("***@*** is wrong, from ***");
    }
}
