package io.idgen.spring.boot.desk;

import io.idgen.text.IdPermutation;
import io.idgen.text.PublicId;
import io.idgen.text.PublicIds;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows orders by their public ids. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class Desk {
    /** Called by Spring. */
    public Desk() {}

    @ConditionalOnProperty(name = "desk.keys", matchIfMissing = true)
    @Bean
    PublicIds publicIds() {
        return new PublicIds(
                1, Map.of(1, IdPermutation.over63Bits("sixteen bytes or".getBytes(StandardCharsets.US_ASCII))));
    }

    /** Orders over HTTP. */
    @RestController
    @RequestMapping("/orders")
    static class Orders {
        @GetMapping("/{id}")
        String order(@PathVariable @PublicId("order") long id) {
            return "order " + id;
        }

        @GetMapping
        String orders(@RequestParam(required = false) @PublicId("order") @Nullable Long after) {
            return "orders after " + after;
        }

        @GetMapping("/{id}/plain")
        String plain(@PathVariable long id) {
            return "plain " + id;
        }

        @GetMapping("/{id}/narrow")
        String narrow(@PathVariable @PublicId int id) {
            return "narrow " + id;
        }
    }
}
