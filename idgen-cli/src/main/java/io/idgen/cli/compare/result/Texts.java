package io.idgen.cli.compare.result;

import java.util.Locale;

/** Formats numbers for people. */
public final class Texts {
    private static final double KIBI = 1024;
    private static final double MILLI = 1e3;

    private Texts() {}

    /** Formats a whole number with separated thousands. */
    public static String whole(double number) {
        return String.format(Locale.ROOT, "%,d", Math.round(number));
    }

    /** Formats a number with three significant digits. */
    public static String rate(double number) {
        if (number >= 100) {
            double unit = Math.pow(10, Math.floor(Math.log10(number)) - 2);
            return whole(Math.round(number / unit) * unit);
        }
        return String.format(Locale.ROOT, number == 0 ? "%.0f" : number >= 10 ? "%.1f" : "%.2f", number);
    }

    /** Formats a speed with half of its interval. */
    public static String speed(Speed speed) {
        double half = (speed.high() - speed.low()) / 2 / speed.median();
        return rate(speed.median()) + String.format(Locale.ROOT, " +-%2.0f %%", 100 * half);
    }

    /** Formats a duration in microseconds. */
    public static String micros(double micros) {
        return micros < MILLI
                ? rate(micros) + " us"
                : micros < MILLI * MILLI ? rate(micros / MILLI) + " ms" : rate(micros / MILLI / MILLI) + " s";
    }

    /** Formats a size. */
    public static String bytes(double bytes) {
        return bytes < KIBI * KIBI ? rate(bytes / KIBI) + " KiB" : rate(bytes / KIBI / KIBI) + " MiB";
    }
}
