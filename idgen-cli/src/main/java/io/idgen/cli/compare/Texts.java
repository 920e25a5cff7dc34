package io.idgen.cli.compare;

import java.time.Duration;
import java.util.Locale;

/** Formats numbers with three significant digits and separated thousands. */
final class Texts {
    private static final double KILO = 1024;

    private Texts() {}

    static String whole(double number) {
        return String.format(Locale.ROOT, "%,d", Math.round(number));
    }

    /** Formats a number with three significant digits. */
    static String rate(double number) {
        if (number == 0 || number >= 100) {
            double unit = Math.pow(10, Math.max(0, Math.floor(Math.log10(Math.max(1, number))) - 2));
            return whole(Math.round(number / unit) * unit);
        }
        return String.format(Locale.ROOT, number >= 10 ? "%.1f" : "%.2f", number);
    }

    /** Formats microseconds. */
    static String micros(double micros) {
        return rate(micros);
    }

    static String percent(double share) {
        return share == 0 ? "0 %" : String.format(Locale.ROOT, share < 0.001 ? "%.3f %%" : "%.1f %%", 100 * share);
    }

    static String bytes(double bytes) {
        return bytes < KILO * KILO
                ? rate(bytes / KILO) + " KiB"
                : String.format(Locale.ROOT, "%.2f MiB", bytes / KILO / KILO);
    }

    static String seconds(Duration duration) {
        return seconds(duration.toMillis() / 1e3);
    }

    static String seconds(double seconds) {
        return String.format(Locale.ROOT, seconds == Math.rint(seconds) ? "%.0f s" : "%.1f s", seconds);
    }
}
