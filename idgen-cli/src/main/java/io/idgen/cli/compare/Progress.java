package io.idgen.cli.compare;

import io.idgen.core.internal.text.Characters;
import java.io.Console;
import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** How far the comparison is: a bar per strategy on a terminal, a line for each where nobody watches. */
interface Progress {

    /** Something of so many steps begins. */
    Bar begin(String what, int steps);

    /** Something does not take place, and why. */
    void skipped(String what, String why);

    /** One thing that is under way. */
    interface Bar extends AutoCloseable {
        /**
         * The next step begins, or is the last and says what came of it.
         *
         * @param doing in a few words
         */
        void step(String doing);

        @Override
        void close();
    }

    /** Bars where standard error is a terminal, otherwise lines. */
    static Progress on(PrintWriter err, boolean coloured) {
        return isTerminal() ? new Bars(err, coloured) : new Lines(err);
    }

    /** Whether a person watches. From JDK 22 on there is a console also where there is none, which must be asked. */
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

    /** For a file or a pipe. */
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

    /** For a person. */
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
