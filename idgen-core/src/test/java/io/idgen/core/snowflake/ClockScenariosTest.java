package io.idgen.core.snowflake;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.internal.time.CautiousTime;
import io.idgen.core.internal.time.Durations;
import io.idgen.core.internal.time.ManualTime;
import io.idgen.core.internal.time.TimeSource;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.test.internal.ParallelThreads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Generates {@code docs/internals/clock-scenarios.md}, a table of what each clock policy does when the clock
 * misbehaves. Writes the page on request, and compares it cell by cell in every build. Time is virtual; an endless wait
 * fails in {@link ManualTime}.
 */
class ClockScenariosTest {
    private static final Path PAGE = Path.of("..", "docs", "internals", "clock-scenarios.md");
    private static final String COMMAND = ".ci/pages clock-scenarios";
    private static final List<String> POLICIES = List.of("fail", "wait:5ms", "run-ahead:1s", "reuse:2048");
    private static final int PER_TICK = 4096;

    private final List<long[]> issued = new ArrayList<>();
    private final List<Snowflake> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(Snowflake::close);
    }

    /** A generator that has not yet used any of the ticks that its policy allows ahead of the clock. */
    private final class Run {
        final ManualTime time = new ManualTime(Instant.parse("2026-01-01T00:00:00Z"));
        final ClockPolicy policy;
        final String namespace = UUID.randomUUID().toString();
        Snowflake ids;

        Run(String policy) {
            this.policy = ClockPolicy.parse(policy);
            this.ids = open(new CautiousTime(time));
            draw(1);
            time.advance(Duration.ofSeconds(10));
            draw(1);
        }

        Snowflake open(TimeSource source) {
            Snowflake made = Snowflake.builder()
                    .startOffsetBelow(1)
                    .namespace(namespace)
                    .workerId(1)
                    .clockPolicy(policy)
                    .time(source)
                    .build();
            opened.add(made);
            return made;
        }

        long[] draw(int count) {
            long[] drawn = ids.nextIds(count);
            issued.add(drawn);
            return drawn;
        }

        /** Describes the outcome of a call for this many ids, and how long it waited. */
        String outcomeOf(int count) {
            Duration before = time.elapsed();
            String outcome;
            try {
                draw(count);
                outcome = "served";
            } catch (IdGenerationException e) {
                outcome = e.getClass().getSimpleName() + " (" + e.code() + ")";
                if (e.code() == ErrorCode.CLOCK_MOVED_BACKWARDS) {
                    StepBack refused = StepBack.of(e);
                    outcome = e.code() + " (" + refused.behind() + " behind, limit " + refused.limit() + ")";
                }
            }
            Duration waited = time.elapsed().minus(before);
            return outcome + (waited.isZero() ? " at once" : " after " + Durations.text(rounded(waited)));
        }

        /** Rounds up to whole milliseconds: when a wait ends within a millisecond does not matter. */
        private static Duration rounded(Duration waited) {
            return Duration.ofMillis((waited.toNanos() + 999_999) / 1_000_000);
        }

        /** Starts another process, which knows nothing of the earlier one. */
        void restart() {
            ids.close();
            time.advance(Duration.ofMillis(1));
            ids = open(new CautiousTime(time));
        }

        String afterStepBack(Duration back) {
            time.step(back.negated());
            return outcomeOf(1);
        }

        /** Uses up all ids that a call can get without waiting. */
        void useUp() {
            int left = (int) (policy.aheadTicks(SnowflakeLayout.IDGEN) + 1) * PER_TICK - 1;
            while (left > 0) {
                left -= draw(Math.min(left, IdSource.MAX_BATCH)).length;
            }
        }
    }

    private static final Map<String, BiFunction<Run, ClockScenariosTest, String>> SCENARIOS = new LinkedHashMap<>();

    static {
        SCENARIOS.put("steps back by 1 ms", (run, test) -> run.afterStepBack(Duration.ofMillis(1)));
        SCENARIOS.put("steps back by 5 ms", (run, test) -> run.afterStepBack(Duration.ofMillis(5)));
        SCENARIOS.put("steps back by 10 min", (run, test) -> run.afterStepBack(Duration.ofMinutes(10)));
        SCENARIOS.put("steps back by a year", (run, test) -> run.afterStepBack(Duration.ofDays(365)));
        SCENARIOS.put("steps forward by 10 min, and back 3 s later", (run, test) -> {
            run.time.step(Duration.ofMinutes(10));
            String ahead = run.outcomeOf(1);
            run.time.advance(Duration.ofSeconds(3));
            run.time.step(Duration.ofMinutes(-10));
            return test.both(ahead, run.outcomeOf(1));
        });
        SCENARIOS.put("steps forward by 10 min, and back a minute later", (run, test) -> {
            run.time.step(Duration.ofMinutes(10));
            String ahead = run.outcomeOf(1);
            run.time.advance(Duration.ofMinutes(1));
            run.draw(1);
            run.time.step(Duration.ofMinutes(-10));
            return test.both(ahead, run.outcomeOf(1));
        });
        SCENARIOS.put("stands still, ids of the tick are left", (run, test) -> {
            run.time.freeze(true);
            return run.outcomeOf(1);
        });
        SCENARIOS.put("stands still, all ids are used", (run, test) -> {
            run.time.freeze(true);
            run.useUp();
            return run.outcomeOf(1);
        });
        SCENARIOS.put("steps back by 1 ms during the wait for the next tick", (run, test) -> {
            run.useUp();
            run.time.atPark(1, () -> run.time.step(Duration.ofMillis(-1)));
            return run.outcomeOf(1);
        });
        SCENARIOS.put("steps back by 10 min during the wait for the next tick", (run, test) -> {
            run.useUp();
            run.time.atPark(1, () -> run.time.step(Duration.ofMinutes(-10)));
            return run.outcomeOf(1);
        });
        SCENARIOS.put("is an hour ahead, because the host slept", (run, test) -> {
            run.time.step(Duration.ofHours(1));
            String first = run.outcomeOf(1);
            run.time.advance(Duration.ofSeconds(11));
            return test.both(first, run.outcomeOf(1));
        });
        SCENARIOS.put("is right, a burst of 100,000 ids", (run, test) -> run.outcomeOf(100_000));
        SCENARIOS.put("is right, a restart right after running ahead", (run, test) -> {
            run.useUp();
            run.restart();
            return run.outcomeOf(1);
        });
        SCENARIOS.put("steps back by 5 ms right after a start", (run, test) -> {
            run.restart();
            run.draw(1);
            return run.afterStepBack(Duration.ofMillis(5));
        });
        SCENARIOS.put("steps back by 5 ms when the time has reached the first id", (run, test) -> {
            run.restart();
            Instant first = SnowflakeLayout.IDGEN.parse(run.draw(1)[0]).time();
            run.time.advance(Duration.between(run.time.now(), first).plusMillis(5));
            return run.afterStepBack(Duration.ofMillis(5));
        });
    }

    private String both(String first, String second) {
        return first.equals(second) ? "both " + first : first + ", then " + second;
    }

    @Test
    void thePageSaysWhatThePoliciesDoAndNoIdIsIssuedTwice() throws IOException {
        StringBuilder page = new StringBuilder("<!-- Generated by: " + COMMAND + " -->\n\n" + """
                # What each clock policy does when the clock misbehaves

                [worker-ids.md](../worker-ids.md#clock-policies) says which policy to choose. Each cell shows the result of a
                call, as the tests observe it with virtual time: an id (served) or an exception, and after which wait.
                No call waits longer than the limit of its policy, plus a tick and one second. The clock …

                """);
        page.append("| | ").append(String.join(" | ", POLICIES)).append(" |\n");
        page.append("|---|").append("---|".repeat(POLICIES.size())).append('\n');
        SCENARIOS.forEach((name, scenario) -> {
            page.append("| ").append(name);
            for (String policy : POLICIES) {
                issued.clear();
                page.append(" | ").append(scenario.apply(new Run(policy), this));
                ParallelThreads.assertDistinct(issued);
            }
            page.append(" |\n");
        });
        System.out.println(page);
        if ("write".equals(System.getProperty("pages"))) {
            Files.writeString(PAGE, page);
        }

        assertThat(Files.readString(PAGE)).as("make it again with %s", COMMAND).isEqualTo(page.toString());
    }
}
