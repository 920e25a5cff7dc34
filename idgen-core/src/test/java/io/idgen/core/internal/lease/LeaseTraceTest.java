package io.idgen.core.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.internal.lease.LeaseCommand.Extend;
import io.idgen.core.internal.lease.LeaseSimulation.Rules;
import io.idgen.core.internal.lease.LeaseSimulation.Traced;
import io.idgen.core.internal.lease.LeaseState.Holding;
import io.idgen.core.internal.lease.SimulatedStore.Flaw;
import io.idgen.core.lease.LeaseStore.Lease;
import io.idgen.core.lease.LeaseStore.LeaseView;
import io.idgen.core.lease.LeaseTerms;
import io.idgen.core.testing.Quiet;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks the traces of processes in {@link LeaseSimulation}, and the history of their rows, by the protocol as it
 * ships. A defect of the store or of the process is found from them in a course in which no id repeats and no caller
 * notices it.
 */
@Tag("nightly")
@Quiet(LeaseKeeper.class)
class LeaseTraceTest {
    private static final int SEEDS = 1_000;

    /** A defect of the store's statements, or of the rules of a process. */
    private enum Defect {
        CANDIDATES_IGNORE_THE_HORIZON(Flaw.HORIZON_IGNORED),
        EXTENSION_IGNORES_THE_HORIZON(Flaw.EXTENDED_WITHOUT_HORIZON),
        STATEMENTS_IGNORE_THE_SERVER(Flaw.SERVER_IGNORED),
        FENCING_OFF_TOO_LOW(Flaw.ADVANCED_TOO_LOW),
        RELEASE_TOO_LOW(Flaw.RELEASED_TOO_LOW),
        REFUSED_EXTENSION_REPORTED_AS_GRANTED(Flaw.REFUSAL_MISREAD),
        LIVE_LEASE_TAKEN(Flaw.LIVE_LEASE_TAKEN),
        REFUSED_EXTENSION_NOT_REMEMBERED(terms -> new Broken(terms) {
            @Override
            LeaseStep extended(LeaseState state, Extend command, boolean granted) {
                return granted ? super.extended(state, command, true) : LeaseStep.rest(state, Duration.ZERO);
            }
        }),
        UNCONFIRMED_HORIZON_USED(terms -> new Broken(terms) {
            @Override
            LeaseStep looked(LeaseState state, Lease lease, @Nullable LeaseView view) {
                Holding holding = state.holding();
                return holding != null && !holding.asked().isEmpty() && view != null && view.held()
                        ? LeaseStep.rest(state.holding(holding.extendedTo(view.horizonMillis())), Duration.ZERO)
                        : super.looked(state, lease, view);
            }
        }),
        UNANSWERED_EXTENSION_TAKEN_FOR_GRANTED(terms -> new Broken(terms) {
            @Override
            LeaseStep unanswered(LeaseState state, LeaseCommand command) {
                return command instanceof Extend extend
                        ? super.extended(state, extend, true)
                        : super.unanswered(state, command);
            }
        }),
        WINDOW_ENDS_ONE_TICK_LATE(terms -> new Broken(terms) {
            @Override
            long endTick(Holding holding) {
                return super.endTick(holding) + 1;
            }
        }),
        WINDOW_BEGINS_BELOW_THE_GRANT(terms -> new Broken(terms) {
            @Override
            long firstTick(long startMillis) {
                return super.firstTick(startMillis) - 1;
            }
        }),
        LOST_ROW_KEPT(terms -> new Broken(terms) {
            @Override
            LeaseStep looked(LeaseState state, Lease lease, @Nullable LeaseView view) {
                return view != null && !view.held() && !view.setBack()
                        ? LeaseStep.rest(state, terms.renewal())
                        : super.looked(state, lease, view);
            }
        });

        final Flaw flaw;
        final Rules rules;

        Defect(Flaw flaw) {
            this.flaw = flaw;
            this.rules = Rules.AS_SHIPPED;
        }

        Defect(Rules rules) {
            this.flaw = Flaw.NONE;
            this.rules = rules;
        }
    }

    private abstract static class Broken extends LeaseProtocol {
        Broken(LeaseTerms terms) {
            super(terms);
        }
    }

    @Test
    void theProtocolAllowsEachStepOfProcessesWithoutDefect() {
        List<Traced> courses = LongStream.rangeClosed(1, SEEDS)
                .parallel()
                .mapToObj(seed -> LeaseSimulation.traced(seed, Flaw.NONE, Rules.AS_SHIPPED))
                .toList();

        System.out.printf(
                "%d courses, %d entries, %d changes of rows%n",
                courses.size(),
                courses.stream().mapToInt(Traced::entries).sum(),
                courses.stream().mapToInt(Traced::changes).sum());
        assertThat(courses).allSatisfy(course -> {
            assertThat(course.violation()).isNull();
            assertThat(course.forbidden()).as("seed %d", course.seed()).isEmpty();
            assertThat(course.entries()).isPositive();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aDefectIsFoundBeforeAnIdRepeats(Defect defect) {
        Traced found = LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> LeaseSimulation.traced(seed, defect.flaw, defect.rules))
                .filter(course ->
                        course.violation() == null && course.forbidden().isPresent())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no trace shows " + defect));

        System.out.println(
                defect + ", seed " + found.seed() + ": " + found.forbidden().orElseThrow());
    }
}
