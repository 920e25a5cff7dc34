package io.idgen.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.compare.contender.Contender;
import io.idgen.cli.compare.contender.Contenders;
import io.idgen.cli.compare.database.Product;
import io.idgen.cli.compare.result.Comparison.Answer;
import io.idgen.core.config.IdSources;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class RulesTest {
    private static final List<Answer> ANSWERS = Rules.ANSWERS;

    @ParameterizedTest
    @FieldSource("ANSWERS")
    void eachNamesAKindAndSettingsThatTheLibraryAccepts(Answer answer) {
        assertThat(new Contenders(Product.H2, false).named(List.of()))
                .extracting(Contender::name)
                .contains(answer.kind());
        if (!answer.settings().isEmpty()) {
            IdSources.Builder builder = IdSources.builder().source("orders").resource(DataSource.class, h2());
            for (String setting : answer.settings()) {
                String[] parts = setting.replace("<name>", "orders")
                        .replace("<its increment>", "50")
                        .replaceFirst("<.*>", "orders_seq")
                        .split("=", 2);
                builder.set(parts[0], parts[1]);
            }
            try (IdSources sources = builder.build()) {
                assertThat(sources.strategy("orders")).isEqualTo(answer.kind());
            }
        }
    }

    private static DataSource h2() {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:rules");
        return dataSource;
    }
}
