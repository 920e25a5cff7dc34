package io.idgen.examples.orders;

import java.io.PrintStream;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jspecify.annotations.Nullable;

/** Shows a bar on a terminal, otherwise a line for every tenth of the work. Shows nothing for short input. */
final class Progress implements AutoCloseable {
    private static final int WORTH_SHOWING = 200;

    private final PrintStream out;
    private final int orders;
    private final @Nullable ProgressBar bar;
    private int done;

    Progress(PrintStream out, int orders, boolean terminal) {
        this.out = out;
        this.orders = orders;
        this.bar = terminal && orders >= WORTH_SHOWING
                ? new ProgressBarBuilder()
                        .setTaskName("orders")
                        .setInitialMax(orders)
                        .build()
                : null;
    }

    void step() {
        done++;
        if (bar != null) {
            bar.step();
        } else if (orders >= WORTH_SHOWING && done * 10L / orders != (done - 1) * 10L / orders) {
            out.printf("%,d of %,d orders%n", done, orders);
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
