package io.idgen.spring.boot.counter;

import io.idgen.text.IdAsString;
import io.idgen.text.PublicId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Sells tickets. */
@SpringBootApplication
public class Counter {
    /** An odd number above 2^53, which JavaScript rounds. */
    public static final long ID = 382324861541810187L;

    /** Called by Spring. */
    public Counter() {}

    /** A ticket, whose ids are strings in JSON. */
    record Ticket(
            @IdAsString long id,
            @IdAsString List<Long> next,
            @IdAsString Map<String, Long> byName,
            @IdAsString Optional<Long> maybe,
            @IdAsString long[] all,
            long seats) {}

    /** The control, whose id is a number in JSON. */
    record Number(long id) {}

    /** The id that a client has asked for. */
    record Asked(String asked) {}

    /** Tickets over HTTP. */
    @RestController
    static class Tickets {
        @PostMapping("/tickets")
        Ticket sell() {
            return new Ticket(ID, List.of(ID), Map.of("first", ID), Optional.of(ID), new long[] {ID}, 2);
        }

        @GetMapping("/tickets/{id}")
        Asked ticket(@PathVariable @IdAsString long id) {
            return new Asked(Long.toString(id));
        }

        @GetMapping("/tickets")
        Asked after(@RequestParam @IdAsString Long after) {
            return new Asked(Long.toString(after));
        }

        @GetMapping("/customers/{id}")
        Asked customer(@PathVariable @PublicId("customer") long id) {
            return new Asked(Long.toString(id));
        }

        @PostMapping("/numbers")
        Number number() {
            return new Number(ID);
        }

        @GetMapping("/numbers/{id}")
        Asked number(@PathVariable long id) {
            return new Asked(Long.toString(id));
        }
    }
}
