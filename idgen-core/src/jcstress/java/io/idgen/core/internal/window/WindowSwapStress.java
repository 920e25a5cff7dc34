package io.idgen.core.internal.window;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Seals, replaces or extends a window while other threads claim from it, on the processor of this host. */
public class WindowSwapStress {
    private WindowSwapStress() {}

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
            swap.swapSealed();
            swap.second.claim();
        }

        @Arbiter
        public void tell(Swap swap, LL_Result result) {
            swap.tell(result);
        }
    }

    /** Uses three threads. jcstress skips it on fewer than three cores. */
    @JCStressTest
    @Outcome(
            id = "(old|new), (old|new)",
            expect = Expect.ACCEPTABLE,
            desc = "Two words, those of the old window below.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A word twice, or one of the old window above one of the new.")
    public static class TwoClaim {
        @Actor
        public void first(Swap swap) {
            swap.first.claim();
        }

        @Actor
        public void second(Swap swap) {
            swap.second.claim();
        }

        @Actor
        public void swap(Swap swap) {
            swap.swapSealed();
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
            swap.swapSealed();
        }
    }

    /** Threads use blocks of their own, which a seal ends too. */
    @JCStressTest
    @Outcome(id = "(old|new), new", expect = Expect.ACCEPTABLE, desc = "Two words, that of the old window below.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A word twice, or one of the old window above one of the new.")
    public static class OneSwapsStripesAndGoesOn {
        @Actor
        public void claim(StripedSwap swap) {
            Swap.claim(swap.old); // fills the thread's stripe
            swap.first.claim();
        }

        @Actor
        public void swap(StripedSwap swap) {
            swap.swapSealed();
            swap.second.claim();
        }

        @Arbiter
        public void tell(StripedSwap swap, LL_Result result) {
            swap.tell(result);
        }
    }

    @JCStressTest
    @Outcome(id = "false, (true|false)", expect = Expect.ACCEPTABLE, desc = "The new window is not there yet.")
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "It is, and the old one has nothing more.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A word of a block after the new window was there.")
    public static class OldStripesAreKept {
        @Actor
        public void claim(StripedSwap swap, ZZ_Result result) {
            Swap.claim(swap.old); // fills the thread's stripe
            result.r1 = swap.current != swap.old;
            result.r2 = Swap.claim(swap.old) >= 0;
        }

        @Actor
        public void swap(StripedSwap swap) {
            swap.swapSealed();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"3, 4", "4, 3"},
            expect = Expect.ACCEPTABLE,
            desc = "The last before it was raised, the first after.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A word twice, left out, or beyond the end.")
    @State
    public static class EndIsRaised {
        private final Window window = Swap.window(1);

        public EndIsRaised() {
            window.endAt(1);
            Swap.claim(window); // word 2; word 3 is the last of tick 1
        }

        @Actor
        public void first(JJ_Result result) {
            result.r1 = Swap.claim(window);
        }

        @Actor
        public void raise(JJ_Result result) {
            window.endAt(2);
            result.r2 = Swap.claim(window);
        }
    }
}
