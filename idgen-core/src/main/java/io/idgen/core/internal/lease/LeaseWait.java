package io.idgen.core.internal.lease;

import io.idgen.core.internal.time.Durations;
import java.time.Duration;
import java.time.Instant;

/** Why calls get no id although the store answers. Its text goes into the exception of a call whose time is up. */
sealed interface LeaseWait {

    /** Returns the reason, for a person. */
    String text();

    /** Other processes hold all worker ids. */
    record AllTaken(String holders) implements LeaseWait {
        @Override
        public String text() {
            return "all worker ids are leased: " + holders;
        }
    }

    /** A row of another server cannot be fenced off. */
    record NotFencedOff(int workerId) implements LeaseWait {
        static final String WHY = "is read as granted by another server, and it is not: another process was faster,"
                + " or a proxy or driver sends reads to a replica and writes to the primary";

        @Override
        public String text() {
            return "worker id " + workerId + " " + WHY;
        }
    }

    /** All free rows begin later than the store's clock allows. */
    record HorizonsAhead(long nowMillis, Duration pause) implements LeaseWait {
        /** Says what a start waits for. A row of another server is fenced off before this, and then waited for. */
        String line() {
            return "the first id comes at " + Instant.ofEpochMilli(nowMillis).plus(pause) + ", in " + seconds(pause)
                    + ": all free worker ids are new, or another server granted them, so ids begin above all ticks that"
                    + " can have been lost; no action is needed";
        }

        @Override
        public String text() {
            return "the horizons of all free worker ids are ahead of the database's clock, which is at "
                    + Instant.ofEpochMilli(nowMillis) + "; the first one can be leased in " + seconds(pause);
        }
    }

    /** The store's clock shows an earlier time than it did. */
    record StoreClockBehind(long nowMillis, long shownMillis) implements LeaseWait {
        Duration behind() {
            return Duration.ofMillis(Math.max(0, shownMillis - nowMillis));
        }

        @Override
        public String text() {
            return "the database's clock stepped back: it is at " + Instant.ofEpochMilli(nowMillis) + ", and was at "
                    + Instant.ofEpochMilli(shownMillis)
                    + " or later before; ids continue when it has passed that, in " + seconds(behind())
                    + "; correct the clock if it is behind, or restart this process: its ids are then lower than the"
                    + " last ones, and still unique";
        }
    }

    private static String seconds(Duration duration) {
        return Durations.text(Duration.ofSeconds(duration.toSeconds() + 1));
    }
}
