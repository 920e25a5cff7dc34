package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import org.junit.jupiter.api.Test;

/** Native sequences on SQLite, which does not support sequences. */
class NativeSequenceOnSqliteTest {

    @Test
    void isRefusedWithTheStrategiesThatThereAre() {
        try (Database database = TestDatabase.SQLITE.create()) {
            NativeSequence sequence = new NativeSequence(database.dataSource(), "orders");
            ConfigurationException e = assertThrows(ConfigurationException.class, () -> sequence.allocate("orders", 1));

            assertThat(e.code()).isEqualTo(ErrorCode.SEQUENCE_MISSING);
            assertThat(e).hasMessageContaining("sqlite has no sequences").hasMessageContaining("sequence-table");
        }
    }
}
