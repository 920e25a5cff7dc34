package io.idgen.core.internal.lease;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Visits every state that a model can reach, breadth first. So the violation that it finds is one with the fewest
 * steps.
 */
final class ModelSearch {

    /** States and the steps between them. */
    interface Model<S> {
        S start();

        /**
         * Returns a key that is equal for equivalent states. Keep it small: the search stores one key per visited
         * state.
         */
        Object key(S state);

        void steps(S state, Steps<S> steps);
    }

    /** Receives the possible next states of a model. Evaluates the descriptions only to print a trace. */
    interface Steps<S> {
        void to(S next, Supplier<String> words);

        void violation(Supplier<String> words);
    }

    /**
     * The result of a search.
     *
     * @param states how many states were visited, up to the violation if there is one
     * @param trace the steps to the violation, with the violation last; empty if there is none
     */
    record Outcome(int states, List<String> trace) {
        boolean safe() {
            return trace.isEmpty();
        }
    }

    private record Reached<S>(S state, @Nullable Reached<S> from, Supplier<String> words) {
        List<String> trace(String last) {
            List<String> trace = new ArrayList<>(List.of(last));
            for (Reached<S> at = this; at.from != null; at = at.from) {
                trace.add(at.words.get());
            }
            Collections.reverse(trace);
            return trace;
        }
    }

    private static final class Frontier<S> implements Steps<S> {
        private final Model<S> model;
        private final Set<Object> seen = new HashSet<>();
        private final Queue<Reached<S>> waiting = new ArrayDeque<>();
        private @Nullable Reached<S> at;
        private @Nullable List<String> violation;

        Frontier(Model<S> model) {
            this.model = model;
        }

        Outcome search() {
            to(model.start(), () -> "start");
            while (violation == null && (at = waiting.poll()) != null) {
                model.steps(at.state(), this);
            }
            return new Outcome(seen.size(), violation == null ? List.of() : violation);
        }

        @Override
        public void to(S next, Supplier<String> words) {
            if (seen.add(model.key(next))) {
                waiting.add(new Reached<>(next, at, words));
            }
        }

        @Override
        public void violation(Supplier<String> words) {
            if (violation == null && at != null) {
                violation = at.trace(words.get());
            }
        }
    }

    private ModelSearch() {}

    static <S> Outcome search(Model<S> model) {
        return new Frontier<>(model).search();
    }
}
