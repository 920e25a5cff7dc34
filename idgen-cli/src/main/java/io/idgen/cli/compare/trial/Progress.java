package io.idgen.cli.compare.trial;

import io.idgen.core.internal.text.Characters;
import java.io.Console;
import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows the progress: a bar per strategy on a terminal, otherwise a line per strategy. */
public interface Progress {

    /** Starts a task with a number of steps. */
    Bar begin(String what, int steps);

    /** Reports a task that is skipped, with the reason. */
    void skipped(String what, String why);

    /** A running task. */
    interface Bar extends AutoCloseable {
        /**
         * Starts the next step; the last one reports the result.
         *
         * @param doing a few words
         */
        void step(String doing);

        @Override
        void close();
    }

    /** Returns bars if standard error is a terminal, otherwise lines. */
    static Progress on(PrintWriter err, boolean coloured) {
        return isTerminal() ? new Bars(err, coloured) : new Lines(err);
    }

    /**
     * Returns whether there is a terminal. From JDK 22 on, {@code System.console()} is not null even without a
     * terminal. So this calls its {@code isTerminal} method.
     */
    private static boolean isTerminal() {
        if (System.console() == null) {
            return false;
        }
        try {
            Method isTerminal = Console.class.getMethod("isTerminal");
            return (boolean) isTerminal.invoke(System.console());
        } catch (NoSuchMethodException e) {
            return true; // JDK 17
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Output to a file or a pipe. */
    record Lines(PrintWriter err) implements Progress {
        @Override
        public Bar begin(String what, int steps) {
            long before = System.nanoTime();
            return new Bar() {
                private String last = "";

                @Override
                public void step(String doing) {
                    last = doing;
                }

                @Override
                public void close() {
                    line(what, String.format(Locale.ROOT, "%s (%.1f s)", last, (System.nanoTime() - before) / 1e9));
                }
            };
        }

        @Override
        public void skipped(String what, String why) {
            line(what, "not measured: " + why);
        }

        private void line(String what, String text) {
            err.println(Characters.line(String.format(Locale.ROOT, "%-22s %s", what, text)));
            err.flush();
        }
    }

    /** Output to a terminal. */
    record Bars(PrintWriter err, boolean coloured) implements Progress {
        private static final int WIDTH = 100;

        @Override
        public Bar begin(String what, int steps) {
            ProgressBar bar = new ProgressBarBuilder()
                    .setTaskName(String.format(Locale.ROOT, "%-22s", what))
                    .setInitialMax(steps)
                    .setUpdateIntervalMillis(100)
                    .hideEta()
                    .setStyle(coloured ? ProgressBarStyle.COLORFUL_UNICODE_BAR : ProgressBarStyle.ASCII)
                    .setConsumer(new ConsoleProgressBarConsumer(System.err, WIDTH))
                    .build();
            return new Bar() {
                private int begun;

                @Override
                public void step(String doing) {
                    bar.stepTo(++begun == steps ? steps : begun - 1L);
                    bar.setExtraMessage(" " + doing);
                }

                @Override
                public void close() {
                    bar.close();
                }
            };
        }

        @Override
        public void skipped(String what, String why) {
            new Lines(err).skipped(what, why);
        }
    }
}
