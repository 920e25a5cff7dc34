package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdSource;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.boot.invoices.Invoice;
import io.idgen.spring.boot.invoices.Invoices;
import io.idgen.spring.boot.invoices.Invoicing;
import io.idgen.spring.boot.receipts.Receipt;
import io.idgen.spring.boot.receipts.Receipting;
import io.idgen.spring.boot.receipts.Receipts;
import io.idgen.spring.data.AssignedIdCallback;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.jdbc.core.JdbcTemplate;

@Tag("matrix")
class AssignedIdEntityTest {
    @AutoClose
    private final Database h2 = TestDatabase.H2.create();

    private ConfigurableApplicationContext withJpa() {
        return start(Invoicing.class);
    }

    private ConfigurableApplicationContext withJdbc() {
        JdbcTemplate jdbc = new JdbcTemplate(h2.dataSource());
        jdbc.execute("CREATE TABLE \"RECEIPT\" (\"ID\" bigint PRIMARY KEY, \"CUSTOMER\" varchar(100))");
        return start(Receipting.class, "spring.data.jpa.repositories.enabled=false"); // it would claim the repositories
    }

    private ConfigurableApplicationContext start(Class<?> application, String... settings) {
        return Application.start(
                new SpringApplicationBuilder(application, CountedStatements.class, Numbers.class),
                h2,
                Application.with(settings, "idgen.sources.invoices.strategy=snowflake"));
    }

    /** A bean that draws from the source; settings for a source that nothing can use are refused. */
    record Numbers(@Qualifier("invoices") IdSource ids) {}

    private static IdSource ids(ConfigurableApplicationContext application) {
        return application.getBean(Numbers.class).ids();
    }

    private static CountedStatements statements(ConfigurableApplicationContext application) {
        CountedStatements statements = application.getBean(CountedStatements.class);
        statements.kinds(); // discards the statements of the start
        return statements;
    }

    @Test
    void jpaSavesANewEntityWithOneInsert() {
        try (ConfigurableApplicationContext application = withJpa()) {
            CountedStatements statements = statements(application);
            Invoice invoice = new Invoice(ids(application), "Dorothea");
            assertThat(invoice.isNew()).isTrue();

            Invoice saved = application.getBean(Invoices.class).save(invoice);

            assertThat(statements.kinds()).containsExactly("INSERT");
            assertThat(saved).isSameAs(invoice);
            assertThat(saved.isNew()).isFalse();
        }
    }

    @Test
    void jpaUpdatesAnEntityThatItHasLoaded() {
        try (ConfigurableApplicationContext application = withJpa()) {
            Invoices invoices = application.getBean(Invoices.class);
            Invoice saved = invoices.save(new Invoice(ids(application), "Dorothea"));
            Invoice loaded = invoices.findById(saved.getId()).orElseThrow();
            CountedStatements statements = statements(application);
            loaded.setCustomer("Edward");

            assertThat(loaded.isNew()).isFalse();
            invoices.save(loaded);

            assertThat(statements.kinds()).containsExactly("SELECT", "UPDATE");
        }
    }

    @Test
    void jdbcSavesANewAggregateWithOneInsertAndThenUpdatesIt() {
        try (ConfigurableApplicationContext application = withJdbc()) {
            Receipts receipts = application.getBean(Receipts.class);
            CountedStatements statements = statements(application);
            Receipt saved = receipts.save(new Receipt(ids(application), "Dorothea"));
            assertThat(statements.kinds()).containsExactly("INSERT");

            saved.setCustomer("Edward");
            receipts.save(saved);
            assertThat(statements.kinds()).containsExactly("UPDATE");

            Receipt loaded = receipts.findById(saved.getId()).orElseThrow();
            assertThat(loaded.getId()).isEqualTo(saved.getId());
            assertThat(loaded.getCustomer()).isEqualTo("Edward");
            assertThat(loaded.isNew()).isFalse();
        }
    }

    @Test
    void aCallbackOfTheApplicationReplacesThatOfIdgen() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(IdgenAutoConfiguration.class, IdgenDataAutoConfiguration.class))
                .withBean(JdbcMappingContext.class)
                .withBean("own", AssignedIdCallback.class)
                .run(context -> assertThat(context)
                        .hasSingleBean(AggregateIds.class)
                        .getBeanNames(AssignedIdCallback.class)
                        .containsExactly("own"));
    }
}
