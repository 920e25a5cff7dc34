package io.idgen.spring.boot.desk;

import io.idgen.text.IdPermutation;
import io.idgen.text.PublicId;
import io.idgen.text.PublicIds;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.MvcUriComponentsBuilder;

/** Shows orders by their public ids. */
@SpringBootApplication
public class Desk {
    /** Called by Spring. */
    public Desk() {}

    @ConditionalOnProperty(name = "desk.keys", matchIfMissing = true)
    @Bean
    PublicIds publicIds(@Value("${shop.public-id-key}") String key) {
        byte[] secretKey = Base64.getDecoder().decode(key);
        return new PublicIds(1, Map.of(1, IdPermutation.over63Bits(secretKey)));
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
        String orders(
                @RequestParam(required = false) @PublicId("order") @Nullable Long after,
                @RequestParam(required = false) @Nullable String of) {
            return "orders after " + after + " of " + of;
        }

        @GetMapping("/{first}/named")
        String named(
                @PathVariable("first") @PublicId("order") long one,
                @RequestParam("order") @PublicId("order") long other) {
            return "named " + one + " " + other;
        }

        @GetMapping("/{id}/plain")
        String plain(@PathVariable long id) {
            return "plain " + id;
        }

        @GetMapping("/{id}/narrow")
        String narrow(@PathVariable @PublicId int id) {
            return "narrow " + id;
        }

        @GetMapping("/{id}/links")
        String links(@PathVariable @PublicId("order") long id) {
            return MvcUriComponentsBuilder.fromMethodName(Orders.class, "order", id)
                            .build()
                            .getPath()
                    + " "
                    + MvcUriComponentsBuilder.fromMethodName(Orders.class, "orders", id, null)
                            .build()
                            .getQuery();
        }
    }

    /** An error handler of the application. */
    @RestControllerAdvice
    @ConditionalOnProperty("desk.errors")
    static class OwnErrors {
        @ExceptionHandler
        String answer(ResponseStatusException e) {
            return "own answer";
        }
    }
}
