package io.idgen.cli.compare;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import io.idgen.cli.compare.result.Conditions;
import io.idgen.cli.compare.result.Environment;
import io.idgen.cli.compare.result.KeyOrder;
import io.idgen.cli.compare.result.OutageOutcome;
import io.idgen.cli.compare.result.RestartOutcome;
import io.idgen.cli.compare.result.Speed;
import io.idgen.cli.compare.result.Strategy;
import io.idgen.cli.compare.result.Texts;
import io.idgen.cli.compare.verdict.Comparison;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints the comparison as text: the conditions, a table, and the verdict. */
final class Summary {
    private static final String NONE = "-";

    // only a line below the header, in ASCII: a container without a locale prints other characters as question marks
    private static final Character[] BORDER = AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER;

    private Summary() {}

    /** Returns the conditions of all numbers, to print before them. */
    static String conditions(Comparison comparison) {
        Environment where = comparison.environment();
        Conditions how = comparison.conditions();
        return String.join(
                "\n",
                where.database() + " by " + where.driver() + " at " + where.url() + ", pool of " + where.poolSize(),
                where.java() + " on " + where.system() + ", " + where.cpu() + ", " + where.processors()
                        + " processors, heap up to " + Texts.whole(where.heapMegabytes()) + " MiB",
                comparison.load().text(),
                how.instances() + (how.instances() == 1 ? " instance, " : " instances, ") + how.threads()
                        + " threads, seed " + how.seed() + "; " + how.rounds()
                        + " interleaved rounds after a common warm-up; +- is half of the 95 % interval",
                "full speed: " + how.fullSpeedMillis() + " ms a round; fixed rate: "
                        + Texts.whole(how.pacedPerSecond()) + " ids/s (or half of full speed) for " + how.pacedMillis()
                        + " ms from a cold start; latencies corrected for coordinated omission",
                "inserts: up to " + Texts.whole(how.rows()) + " rows, parents with " + how.childrenPerParent()
                        + " children, " + how.parentsPerTransaction() + " parents to a transaction; bytes: "
                        + how.bytesAre(),
                "outage: " + how.outageMillis() + " ms at " + how.outagePerSecond() + " ids/s each, calls wait at most "
                        + how.outagePatienceMillis() + " ms; kill: after " + how.idsPerLife() + " ids");
    }

    /** Returns the table. */
    static String table(Comparison comparison) {
        List<Strategy> measured = comparison.strategies().stream()
                .filter(strategy -> strategy.failure() == null)
                .toList();
        return AsciiTable.getTable(
                BORDER,
                measured,
                List.of(
                        text("strategy", Strategy::name),
                        number("ids/s", 20, s -> of(s.speed(), Summary::speed)),
                        number("p50 us", 10, s -> of(s.latency(), latency -> Texts.rate(latency.p50()))),
                        number("p99 us", 10, s -> of(s.latency(), latency -> Texts.rate(latency.p99()))),
                        number("p99.9 us", 10, s -> of(s.latency(), latency -> Texts.rate(latency.p999()))),
                        number("max us", 10, s -> of(s.latency(), latency -> Texts.rate(latency.slowest()))),
                        number("stalls >1 ms", 10, s -> of(s.latency(), latency -> Texts.whole(latency.stalls()))),
                        number("SQL per 1,000", 10, s -> of(s.roundTripsPerThousand(), Texts::rate)),
                        number(
                                "dupli- cates",
                                10,
                                s -> Texts.whole(s.duplicates().count())),
                        number("lost by kill", 10, s -> of(s.restart(), Summary::lost)),
                        number("out of order", 10, s -> of(s.order(), order -> Texts.percent(order.shareWithin()))),
                        number("shard skew", 10, s -> of(s.order(), Summary::fullest)),
                        number("ids in outage", 10, s -> of(s.outage(), Summary::outage)),
                        number("rows/s", 20, s -> of(s.inserts(), inserts -> speed(inserts.speed()))),
                        number("index", 10, s -> of(s.inserts(), inserts -> Texts.bytes(inserts.indexBytes())))));
    }

    /** Returns the failures and the advice. */
    static String verdict(Comparison comparison) {
        String failures = comparison.strategies().stream()
                .filter(strategy -> strategy.failure() != null)
                .map(strategy -> "Not measured: " + strategy.name() + ": " + strategy.failure() + "\n")
                .collect(Collectors.joining());
        String troubles = comparison.strategies().stream()
                .filter(strategy -> strategy.trouble() != null)
                .map(strategy -> strategy.name() + ": " + strategy.trouble() + "\n")
                .collect(Collectors.joining());
        String leftOut = comparison.leftOut().stream()
                .map(what -> "Left out: " + what + "\n")
                .collect(Collectors.joining());
        return failures
                + troubles
                + leftOut
                + comparison.headline().sentence()
                + comparison.advice().stream()
                        .map(advice -> "\nIf you need " + advice.need() + ": " + advice.take()
                                + advice.facts().stream()
                                        .map(fact -> "\n    " + fact)
                                        .collect(Collectors.joining()))
                        .collect(Collectors.joining());
    }

    private static ColumnData<Strategy> text(String header, Function<Strategy, String> value) {
        return new Column()
                .header(header)
                .headerAlign(HorizontalAlign.LEFT)
                .dataAlign(HorizontalAlign.LEFT)
                .with(value);
    }

    private static ColumnData<Strategy> number(String header, int width, Function<Strategy, String> value) {
        return new Column()
                .header(header)
                .maxWidth(width)
                .headerAlign(HorizontalAlign.RIGHT)
                .dataAlign(HorizontalAlign.RIGHT)
                .with(value);
    }

    private static <T> String of(@Nullable T measured, Function<T, String> text) {
        return measured == null ? NONE : text.apply(measured);
    }

    private static String speed(Speed speed) {
        double half = (speed.high() - speed.low()) / 2 / speed.median();
        return Texts.rate(speed.median()) + String.format(Locale.ROOT, " +-%2.0f %%", 100 * half);
    }

    private static String lost(RestartOutcome restart) {
        return restart.lostIds() < 0 ? "time" : Texts.whole(restart.lostIds());
    }

    private static String fullest(KeyOrder order) {
        return String.format(Locale.ROOT, "x%.2f", order.fullestOf8());
    }

    private static String outage(OutageOutcome outage) {
        return outage.neverCeased() ? "all ids" : String.format(Locale.ROOT, "%.1f s", outage.servedSeconds());
    }
}
