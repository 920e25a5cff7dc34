package io.idgen.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the table of accidents in {@code docs/internals/accidents.md} with the tests. */
class RedisPageTest {
    @Test
    void theTableHasEachScenarioAndNoOther() throws IOException {
        String page = Files.readString(Path.of("..", "..", "docs", "internals", "accidents.md"));
        List<String> rows = page.lines()
                .dropWhile(line -> !line.startsWith("| accident |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        List<String> tested = Stream.of(RedisScenariosTest.class, RedisFailoverTest.class)
                .flatMap(tests -> Stream.of(tests.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Scenario.class))
                .map(RedisPageTest::row)
                .collect(Collectors.toList());

        assertThat(tested).isNotEmpty();
        assertThat(rows).containsExactlyInAnyOrderElementsOf(tested);
    }

    private static String row(Method method) {
        Scenario scenario = method.getAnnotation(Scenario.class);
        return "| " + scenario.value() + " | " + scenario.outcome() + " | " + scenario.published() + " |";
    }
}
