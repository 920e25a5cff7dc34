package io.idgen.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A misspelt setting in application.properties. */
class UnknownSettingTest {
    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Applications.with("idgen.segmnet.step=100")
            .assertException(failure -> assertThat(failure)
                    .rootCause()
                    .hasMessageContaining("IDGEN-101")
                    .hasMessageContaining(
                            "no setting is called idgen.segmnet.step; the nearest known are idgen.segment.step"));

    @Test
    void stopsTheStart() {
        fail("the application started");
    }
}
