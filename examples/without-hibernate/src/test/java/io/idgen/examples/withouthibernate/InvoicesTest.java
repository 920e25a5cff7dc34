package io.idgen.examples.withouthibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

class InvoicesTest {
    @Test
    void anInvoiceThatFailsLeavesNoGap() {
        try (Database database = TestDatabase.H2.create();
                Invoices invoices = new Invoices(database.dataSource())) {
            new IdgenSchema(database.dataSource()).create();
            new JdbcTemplate(database.dataSource())
                    .execute("CREATE TABLE invoice (number VARCHAR(40) PRIMARY KEY, customer VARCHAR(9) NOT NULL)");

            assertThat(invoices.write("ALFKI")).matches("INV-2\\d{7}-000001\\d");
            assertThatThrownBy(() -> invoices.write("a name that is too long"));
            assertThat(invoices.write("BONAP")).matches("INV-2\\d{7}-000002\\d");
        }
    }
}
