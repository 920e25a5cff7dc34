package io.idgen.core.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests an implementation of {@link IdSource} outside of idgen's own package. */
class ThirdPartySourceTest {

    /** A source over a service that is down. */
    private static final class RemoteSource implements IdSource {
        @Override
        public long nextId() {
            throw new IdUnavailableException(
                    ErrorCode.IDS_UNAVAILABLE,
                    "invoices",
                    Duration.ofSeconds(7),
                    "the service does not answer",
                    new IOException("connection refused"));
        }

        @Override
        public void close() {}
    }

    @Test
    void aSourceOfAnotherPackageReportsThatItHasNoIdAsIdgensOwnDo() {
        try (IdSource source = new RemoteSource()) {
            IdUnavailableException e = assertThrows(IdUnavailableException.class, source::nextId);

            assertThat(e.code()).isEqualTo(ErrorCode.IDS_UNAVAILABLE);
            assertThat(e.source()).isEqualTo("invoices");
            assertThat(e.outage()).isEqualTo(Duration.ofSeconds(7));
            assertThat(e).hasMessage("IDGEN-301: the service does not answer").hasCauseInstanceOf(IOException.class);
        }
    }
}
