package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.StoreUnreachableException;
import io.idgen.core.config.IdSources;
import java.net.ConnectException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.TransientDataAccessResourceException;

class IdgenExceptionTranslatorTest {
    private final IdgenExceptionTranslator translator = new IdgenExceptionTranslator();

    static Stream<IdGenerationException> outages() {
        return Stream.of(
                new StoreUnavailableException("connection reset"),
                new StoreUnreachableException("no connection", new ConnectException("connection refused")),
                new IdUnavailableException(ErrorCode.IDS_UNAVAILABLE, "orders", "no id", null));
    }

    @ParameterizedTest
    @MethodSource("outages")
    void anOutageOfTheStoreIsTransientSoThatCallersRetry(IdGenerationException outage) {
        assertThat(translator.translateExceptionIfPossible(outage))
                .isInstanceOf(TransientDataAccessResourceException.class)
                .hasMessage(outage.getMessage())
                .hasCause(outage);
    }

    @Test
    void aClockThatMovedBackwardsIsTransientBecauseItCatchesUp() {
        AtomicReference<Instant> clock = new AtomicReference<>(Instant.parse("2026-03-04T05:06:07Z"));
        try (IdSources sources = IdSources.builder()
                .source("orders")
                .set("idgen.worker.id", "1")
                .set("idgen.snowflake.clock-policy", "fail")
                .clock(clock::get)
                .build()) {
            IdSource orders = sources.get("orders");
            orders.nextId();
            clock.set(Instant.parse("2026-03-04T05:06:06Z"));

            IdUnavailableException e = assertThrows(IdUnavailableException.class, orders::nextId);
            assertThat(translator.translateExceptionIfPossible(e))
                    .isInstanceOf(TransientDataAccessResourceException.class)
                    .hasCause(e);
        }
    }

    static Stream<IdGenerationException> refusals() {
        return Stream.of(
                new AllocationException(ErrorCode.TABLE_MISSING, "no such table"),
                new ConfigurationException(ErrorCode.INVALID_SETTING, "no such setting"),
                new IdGenerationException(ErrorCode.PRESET_ID, "has the id 1"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aRefusalIsNotTransientBecauseRetriesDoNotHelp(IdGenerationException refusal) {
        assertThat(translator.translateExceptionIfPossible(refusal))
                .isInstanceOf(NonTransientDataAccessResourceException.class)
                .hasCause(refusal);
    }

    @Test
    void exceptionsOfOthersStayWhatTheyAre() {
        assertThat(translator.translateExceptionIfPossible(new IllegalStateException("not of idgen")))
                .isNull();
    }
}
