package io.idgen.cli.choose;

import io.idgen.cli.common.BadInputException;
import java.time.Duration;

/**
 * The needs of an application: the answers to six questions.
 *
 * @param othersWrite whether other programs insert into the same tables, with ids that idgen does not generate
 * @param texts whether people and programs read ids as texts, not as numbers
 * @param processes how many processes generate ids at the same time
 * @param outage how long ids must be available during an outage of the database
 * @param isShort whether ids must have at most about ten digits
 * @param leaveTheHouse whether ids are shown outside, for example in links
 */
record Needs(
        boolean othersWrite, boolean texts, int processes, Duration outage, boolean isShort, boolean leaveTheHouse) {
    /** The number of worker ids in 16 bits, the largest field of a layout. */
    static final int MOST_PROCESSES = 1 << 16;

    private static final Duration LONGEST_OUTAGE = Duration.ofDays(30);

    Needs {
        if (processes < 1 || processes > MOST_PROCESSES) {
            throw new BadInputException(
                    "the number of processes must be 1 to " + MOST_PROCESSES + ", got " + processes);
        }
        if (outage.isNegative() || outage.compareTo(LONGEST_OUTAGE) > 0) {
            throw new BadInputException(
                    "the outage must be 0s to " + LONGEST_OUTAGE.toDays() + "d, got " + Choice.text(outage));
        }
    }
}
