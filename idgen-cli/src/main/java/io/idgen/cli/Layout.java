package io.idgen.cli;

import io.idgen.cli.common.Layouts;
import io.idgen.cli.common.Output;
import io.idgen.core.layout.SnowflakeLayout;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
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
                    Layouts.widths(layout),
                    layout.epoch().toString(),
                    end.toString(),
                    (long) (Duration.between(layout.epoch(), end).toDays() / DAYS_OF_A_YEAR),
                    layout.workers(),
                    layout.idsPerTick(),
                    layout.tick().toMillis(),
                    layout.idsPerSecond(),
                    Layouts.bits(layout) <= SnowflakeLayout.JS_SAFE_BITS);
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
                    "%-10s %-38s %s  %s %,8d %,12.0f",
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
        if (needs == null && layout.given().isEmpty()) {
            list();
            return;
        }
        Capacity capacity = Capacity.of(needs == null ? layout.orDefault() : fitting(needs));
        if (output.isJson()) {
            output.json(capacity);
        } else {
            output.print(capacity.text());
        }
    }

    private SnowflakeLayout fitting(Needs asked) {
        Instant epoch = layout.orDefault().epoch();
        Duration past = Duration.between(epoch, idgen.clock().instant());
        return SnowflakeLayout.fitting(
                epoch,
                Duration.ofDays((long) Math.ceil(asked.years * DAYS_OF_A_YEAR))
                        .plus(past.isNegative() ? Duration.ZERO : past),
                asked.workers,
                asked.rate);
    }

    private void list() {
        List<Capacity> presets =
                SnowflakeLayout.presets().values().stream().map(Capacity::of).toList();
        if (output.isJson()) {
            output.json(presets);
            return;
        }
        output.print(String.format(
                "%-10s %-38s %-10s  %-10s %8s %12s", "preset", "widths", "from", "to", "workers", "ids/s each"));
        presets.forEach(preset -> output.print(preset.row()));
    }
}
