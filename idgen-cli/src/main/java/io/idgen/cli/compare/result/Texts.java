package io.idgen.cli.compare.result;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Formats numbers with three significant digits and separated thousands. */
public final class Texts {
    private static final double KILO = 1024;
    private static final double KILO_SI = 1e3;
    private static final double MEGA = 1e6;

    private Texts() {}

    public static String whole(double number) {
        return String.format(Locale.ROOT, "%,d", Math.round(number));
    }

    /** Formats a number with three significant digits. */
    public static String rate(double number) {
        if (number == 0 || number >= 100) {
            double unit = Math.pow(10, Math.max(0, Math.floor(Math.log10(Math.max(1, number))) - 2));
            return whole(Math.round(number / unit) * unit);
        }
        return String.format(Locale.ROOT, number >= 10 ? "%.1f" : "%.2f", number);
    }

    /** Formats a number with three digits and a unit prefix, for example 12.3 M. */
    public static String si(double number) {
        return number >= MEGA * KILO_SI
                ? rate(number / MEGA / KILO_SI) + " G"
                : number >= MEGA
                        ? rate(number / MEGA) + " M"
                        : number >= KILO_SI ? rate(number / KILO_SI) + " k" : rate(number);
    }

    /** Formats a speed with its interval. */
    public static String interval(Speed speed) {
        return si(speed.median()) + " (" + si(speed.low()) + " to " + si(speed.high()) + ")";
    }

    /**
     * Returns the names of strategies, in the order of the comparison, so that two runs with the same answer have the
     * same text. All Snowflake strategies of a comparison together have one name.
     */
    public static String names(List<Strategy> some, List<Strategy> all) {
        return String.join(", ", namesOf(some, all, "all"));
    }

    /** Returns the names of strategies to choose from. */
    public static String either(List<Strategy> some, List<Strategy> all) {
        List<String> names = namesOf(some, all, "any of");
        int last = names.size() - 1;
        return last < 1 ? names.get(last) : String.join(", ", names.subList(0, last)) + " or " + names.get(last);
    }

    private static List<String> namesOf(List<Strategy> some, List<Strategy> all, String together) {
        List<Strategy> kinds = all.stream()
                .filter(strategy -> strategy.family() == KeyFamily.SNOWFLAKE)
                .toList();
        boolean folded = kinds.size() > 2 && some.containsAll(kinds);
        return Stream.concat(
                        folded ? Stream.of(together + " " + kinds.size() + " snowflake kinds") : Stream.empty(),
                        all.stream()
                                .filter(some::contains)
                                .filter(strategy -> !folded || strategy.family() != KeyFamily.SNOWFLAKE)
                                .map(Strategy::name))
                .toList();
    }

    public static String percent(double share) {
        return share == 0 ? "0 %" : String.format(Locale.ROOT, share < 0.001 ? "%.3f %%" : "%.1f %%", 100 * share);
    }

    public static String bytes(double bytes) {
        return bytes < KILO * KILO
                ? rate(bytes / KILO) + " KiB"
                : String.format(Locale.ROOT, "%.2f MiB", bytes / KILO / KILO);
    }

    public static String seconds(double seconds) {
        return String.format(Locale.ROOT, seconds == Math.rint(seconds) ? "%.0f s" : "%.1f s", seconds);
    }
}
