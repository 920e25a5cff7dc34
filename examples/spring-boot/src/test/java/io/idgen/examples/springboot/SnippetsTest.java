package io.idgen.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.IdgenListener;
import io.idgen.core.config.IdSources;
import io.idgen.jackson.IdgenModule;
import io.idgen.micrometer.IdgenEventMetrics;
import io.idgen.micrometer.IdgenMetrics;
import io.idgen.text.IdAsString;
import io.idgen.text.IdPermutation;
import io.idgen.text.PublicId;
import io.idgen.text.PublicIds;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Runs the code blocks of {@code docs/json.md} and {@code docs/metrics.md}. */
@Tag("matrix")
class SnippetsTest {

    public record Order(@IdAsString long id, @IdAsString List<Long> lines, long pages) {}

    public record Customer(@PublicId long id, String name) {}

    @Test
    void theJsonOfAnOrderIsTheOneInThePage() throws Exception {
        JsonMapper mapper = JsonMapper.builder().addModule(new IdgenModule()).build();

        assertThat(Files.readString(Path.of("..", "..", "docs", "json.md")))
                .contains(mapper.writeValueAsString(new Order(382324861541810186L, List.of(382324861541810187L), 3)));
    }

    @Test
    void theJsonOfACustomerHidesItsId() {
        byte[] secretKey = "sixteen bytes or".getBytes(StandardCharsets.US_ASCII);
        PublicIds publicIds = new PublicIds(1, Map.of(1, IdPermutation.over63Bits(secretKey)));
        JsonMapper mapper = JsonMapper.builder()
                .addModule(new IdgenModule().withPublicIds(publicIds))
                .build();

        assertThat(mapper.writeValueAsString(new Customer(382324861541810186L, "Dorothea")))
                .matches("\\{\"id\":\"k1_[0-9A-Z]{13}\",\"name\":\"Dorothea\"}");
    }

    @Test
    void aSourceHasItsMeters() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        IdgenEventMetrics events = new IdgenEventMetrics();
        IdSources sources = IdSources.builder()
                .set("idgen.worker.assigner", "single-process")
                .resource(IdgenListener.class, events)
                .source("orders")
                .build();
        new IdgenMetrics(sources).bindTo(registry);
        events.bindTo(registry);
        try (sources) {
            sources.get("orders").nextId();

            assertThat(registry.get("idgen.health").gauge().value()).isEqualTo(1);
        }
    }
}
