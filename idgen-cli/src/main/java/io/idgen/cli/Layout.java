package io.idgen.cli;

import io.idgen.cli.common.Layouts;
import io.idgen.cli.common.Output;
import io.idgen.core.internal.time.Durations;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Shows the capacity of layouts, and finds a layout for given needs. */
@Command(
        name = "layout",
        description =
                "Shows the end date, workers and rate of a layout; finds a layout for given years, workers and rate;"
                        + " without options, lists the presets.")
final class Layout implements Runnable {
    private static final double DAYS_OF_A_YEAR = 365.25;
    private static final int MOST_FIELD_BITS = 31;

    @ParentCommand
    private Idgen idgen = new Idgen();

    @Mixin
    private Output output = new Output();

    @Mixin
    private LayoutOptions layout = new LayoutOptions();

    @ArgGroup(exclusive = false, heading = "%nA layout for your needs:%n")
    private @Nullable Needs needs;

    /** The needs that a layout must meet. */
    private static final class Needs {
        @Option(
                names = "--years",
                paramLabel = "<n>",
                required = true,
                description = "For how many years from now the layout must last.")
        private int years;

        @Option(
                names = "--workers",
                paramLabel = "<n>",
                required = true,
                description = "How many processes generate ids at the same time.")
        private long workers;

        @Option(
                names = "--rate",
                paramLabel = "<n>",
                required = true,
                description = "How many ids per second each of them needs.")
        private long rate;
    }

    /** The figures of a layout. */
    private record Capacity(
            String layout,
            String widths,
            String epoch,
            String end,
            long years,
            long workers,
            long idsPerTick,
            long tickMillis,
            double idsPerSecondAndWorker,
            boolean fitsJavaScript) {

        static Capacity of(SnowflakeLayout layout) {
            Instant end = layout.end();
            return new Capacity(
                    Layouts.name(layout),
                    layout.toString().replaceFirst(" .*", ""),
                    layout.epoch().toString(),
                    end.toString(),
                    (long) (Duration.between(layout.epoch(), end).toDays() / DAYS_OF_A_YEAR),
                    layout.workers(),
                    layout.idsPerTick(),
                    layout.tick().toMillis(),
                    layout.idsPerSecond(),
                    layout.largestId(layout.workers() - 1) >>> SnowflakeLayout.JS_SAFE_BITS == 0);
        }

        String text() {
            return String.format(
                    Locale.ROOT,
                    "layout   %s%n"
                            + "time     %s to %s, %d years%n"
                            + "workers  %,d%n"
                            + "rate     %,d ids per worker in %d ms; %,.0f per worker and second, %,.0f in all%n"
                            + "numbers  %s",
                    layout.equals(widths) || layout.startsWith(widths) ? layout : layout + ", " + widths,
                    epoch,
                    end,
                    years,
                    workers,
                    idsPerTick,
                    tickMillis,
                    idsPerSecondAndWorker,
                    idsPerSecondAndWorker * workers,
                    fitsJavaScript
                            ? "53 bits, which JavaScript's numbers can hold"
                            : "63 bits: send them to browsers as strings");
        }

        String row() {
            return String.format(
                    Locale.ROOT,
                    "%n%-10s %-38s %s  %s %,8d %,12.0f",
                    layout,
                    widths,
                    epoch.substring(0, 10),
                    end.substring(0, 10),
                    workers,
                    idsPerSecondAndWorker);
        }
    }

    @Override
    public void run() {
        if (needs != null || layout.given().isPresent()) {
            Capacity capacity = Capacity.of(needs == null ? layout.orDefault() : fitting(needs));
            output.show(capacity, capacity.text());
            return;
        }
        List<Capacity> presets =
                SnowflakeLayout.presets().values().stream().map(Capacity::of).toList();
        output.show(
                presets,
                String.format(
                                "%-10s %-38s %-10s  %-10s %8s %12s",
                                "preset", "widths", "from", "to", "workers", "ids/s each")
                        + presets.stream().map(Capacity::row).collect(Collectors.joining()));
    }

    private SnowflakeLayout fitting(Needs asked) {
        Instant epoch = layout.orDefault().epoch();
        Duration past = Duration.between(epoch, idgen.clock().instant());
        return fitting(
                epoch,
                Duration.ofDays((long) Math.ceil(asked.years * DAYS_OF_A_YEAR))
                        .plus(past.isNegative() ? Duration.ZERO : past),
                asked.workers,
                asked.rate);
    }

    /**
     * Returns a layout that meets the needs. Gives half of the spare bits to the sequence and half to the worker; bits
     * that neither can take go to the time.
     */
    static SnowflakeLayout fitting(Instant epoch, Duration lifetime, long workers, long idsPerSecond) {
        if (lifetime.isNegative() || lifetime.isZero() || workers < 1 || idsPerSecond < 1) {
            throw new IllegalArgumentException("lifetime, workers and ids per second are above 0, got "
                    + Durations.text(lifetime) + ", " + workers + " and " + idsPerSecond);
        }
        int time = bitsFor(lifetime.toMillis());
        int worker = bitsFor(workers);
        int sequence = bitsFor(Math.addExact(idsPerSecond, 999) / 1000);
        int spare = SnowflakeLayout.ID_BITS - time - worker - sequence;
        if (spare < 0 || worker > MOST_FIELD_BITS || sequence > MOST_FIELD_BITS) {
            throw new IllegalArgumentException("no layout carries " + workers + " workers with " + idsPerSecond
                    + " ids per second for " + lifetime.toDays() + " days: that takes " + time + "+" + worker + "+"
                    + sequence + " bits of time, worker and sequence, and there are " + SnowflakeLayout.ID_BITS
                    + " (a field has " + MOST_FIELD_BITS
                    + " at most); ask for fewer workers, fewer ids or less time");
        }
        int wider = Math.min(MOST_FIELD_BITS, sequence + (spare + 1) / 2);
        int widerWorker = Math.min(MOST_FIELD_BITS, worker + spare / 2);
        return new SnowflakeLayout(
                epoch, Duration.ofMillis(1), SnowflakeLayout.ID_BITS - widerWorker - wider, 0, widerWorker, wider);
    }

    /** Returns how many bits are needed for {@code values} different values. */
    private static int bitsFor(long values) {
        return Long.SIZE - Long.numberOfLeadingZeros(values - 1);
    }
}
