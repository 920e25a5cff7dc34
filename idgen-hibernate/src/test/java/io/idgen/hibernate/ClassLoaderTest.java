package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that nothing keeps the classes of an application in memory after its container has closed it. */
@Tag("matrix")
class ClassLoaderTest {
    private static final String CONTROL = "hibernate.show_sql=false";

    /**
     * Clears soft references at once. By soft references, JDKs newer than 17 keep the classes of records for a while.
     */
    private static final String WITHOUT_SOFT_REFERENCES = "-XX:SoftRefLRUPolicyMSPerMB=0";

    @Test
    void theClassesOfAnApplicationAreCollectedAfterItIsClosed() throws Exception {
        List<String> applications = List.of(
                CONTROL,
                "idgen.strategy=snowflake",
                "idgen.strategy=snowflake,idgen.worker.assigner=jdbc",
                "idgen.strategy=segment");
        try (ChildJvm container =
                ChildJvm.start(LoadingProcess.class, List.of(WITHOUT_SOFT_REFERENCES), applications)) {
            assertThat(container.awaitsEnd())
                    .filteredOn(line -> line.startsWith(LoadingProcess.COLLECTED))
                    .extracting(line -> line.substring(LoadingProcess.COLLECTED.length()))
                    .containsExactlyInAnyOrderElementsOf(applications);
        }
    }
}
