package io.idgen.core.internal.window;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * The control for {@link WindowSwapStress}: a window stays open when another one replaces it. The run of this class has
 * to fail.
 */
public class OpenSwapControl {
    private OpenSwapControl() {}

    @JCStressTest
    @Outcome(id = "(old|new), new", expect = Expect.ACCEPTABLE, desc = "Two words, that of the old window below.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A word twice, or one of the old window above one of the new.")
    public static class OneSwapsAndGoesOn {
        @Actor
        public void claim(Swap swap) {
            swap.first.claim();
        }

        @Actor
        public void swap(Swap swap) {
            swap.swapOpen();
            swap.second.claim();
        }

        @Arbiter
        public void tell(Swap swap, LL_Result result) {
            swap.tell(result);
        }
    }

    @JCStressTest
    @Outcome(id = "false, (true|false)", expect = Expect.ACCEPTABLE, desc = "The new window is not there yet.")
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "It is, and the old one has nothing more.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A word of the old window after the new one was there.")
    public static class OldOneIsKept {
        @Actor
        public void claim(Swap swap, ZZ_Result result) {
            result.r1 = swap.current != swap.old;
            result.r2 = Swap.claim(swap.old) >= 0;
        }

        @Actor
        public void swap(Swap swap) {
            swap.swapOpen();
        }
    }
}
