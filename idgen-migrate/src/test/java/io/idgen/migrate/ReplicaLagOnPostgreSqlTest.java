package io.idgen.migrate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.AllocationException;
import io.idgen.jdbc.testing.PostgreSqlPair;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("matrix")
class ReplicaLagOnPostgreSqlTest extends ReplicaLagContract {
    ReplicaLagOnPostgreSqlTest() throws SQLException {
        super(new PostgreSqlPair());
    }

    @Override
    String filled() {
        return "SELECT count(*) FROM book WHERE id_idgen = id";
    }

    @Test
    void thePrimaryKnowsItsReplicas() throws Exception {
        apply(((PostgreSqlPair) pair).superuserUrl(), Duration.ofSeconds(5), List.of());
        checkThatItWaited();
    }

    @Test
    void aUserWhoCannotSeeTheReplicasIsToldSo() {
        assertThatThrownBy(() -> apply(pair.url(), Duration.ofSeconds(5), List.of()))
                .isInstanceOf(AllocationException.class)
                .hasMessageContaining("GRANT pg_monitor");
    }
}
