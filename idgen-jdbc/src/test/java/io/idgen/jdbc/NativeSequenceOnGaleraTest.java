package io.idgen.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import io.idgen.jdbc.NativeSequence.ValueIs;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.jdbc.testing.Wrapped;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sequences on a database that reports to be a node of Galera, where several nodes may return one value. */
class NativeSequenceOnGaleraTest {

    /** Replaces the answer to {@code SHOW}, which only MariaDB knows. */
    private static DataSource galera(DataSource real) {
        return Wrapped.calledBy(
                "MariaDB",
                Wrapped.dataSource(() -> Wrapped.wrap(Connection.class, real.getConnection(), call -> {
                    if (call.is("prepareStatement")
                            && String.valueOf(call.arguments()[0]).contains("wsrep_on")) {
                        call.arguments()[0] = "SELECT 'wsrep_on', 'ON'";
                    }
                    return call.proceed();
                })));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50})
    void itsSequencesAreRefusedForSingleIdsAndForBlocks(int increment) throws SQLException {
        try (Database database = TestDatabase.H2.create()) {
            Sql.execute(database.dataSource(), "CREATE SEQUENCE orders INCREMENT BY " + increment);
            NativeSequence sequence =
                    new NativeSequence(galera(database.dataSource()), "orders").inBlocks(increment, ValueIs.FIRST);

            AllocationException e = assertThrows(AllocationException.class, () -> sequence.allocate("orders", 1));

            assertThat(e.code()).isEqualTo(ErrorCode.SEQUENCE_MISSING);
            assertThat(e)
                    .hasMessageContaining("the sequence orders may return a value twice, because this is a Galera");
        }
    }
}
