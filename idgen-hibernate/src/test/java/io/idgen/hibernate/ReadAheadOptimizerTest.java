package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import java.io.Serializable;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.hibernate.HibernateException;
import org.hibernate.id.enhanced.InitialValueAwareOptimizer;
import org.hibernate.id.enhanced.Optimizer;
import org.hibernate.id.enhanced.PooledLoOptimizer;
import org.hibernate.id.enhanced.PooledOptimizer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the optimizers that read ahead over a sequence in memory. */
class ReadAheadOptimizerTest {
    private static final int INCREMENT = 50;

    private final CountedSequence sequence = new CountedSequence(51, INCREMENT);
    private final ReadAheadOptimizer optimizer = new ReadAheadOptimizer(Long.class, INCREMENT);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private long next() {
        return next(optimizer, sequence);
    }

    private static long next(Optimizer optimizer, CountedSequence sequence) {
        return ((Number) optimizer.generate(sequence.callback())).longValue();
    }

    private List<Long> next(int count) {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(next());
        }
        return ids;
    }

    private static List<Long> range(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    static Stream<Arguments> kinds() {
        return Stream.of(Short.class, Integer.class, Long.class, BigInteger.class)
                .flatMap(type -> Stream.of(1, 2, 3, INCREMENT)
                        .flatMap(increment -> Stream.of(1L, 5L, 7L, 1000L)
                                .flatMap(first -> Stream.of(-1L, 1L, 5L)
                                        .map(initial -> Arguments.of(type, increment, first, initial)))));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void theIdsAreThoseOfHibernatesOptimizers(Class<?> type, int increment, long first, long initial) {
        assertThat(ids(new ReadAheadOptimizer(type, increment), type, increment, first, initial))
                .isEqualTo(ids(new PooledOptimizer(type, increment), type, increment, first, initial));
        assertThat(ids(new ReadAheadLoOptimizer(type, increment), type, increment, first, initial))
                .isEqualTo(ids(new PooledLoOptimizer(type, increment), type, increment, first, initial));
    }

    private static List<Serializable> ids(Optimizer optimizer, Class<?> type, int increment, long first, long initial) {
        if (optimizer instanceof InitialValueAwareOptimizer aware) {
            aware.injectInitialValue(initial);
        }
        CountedSequence sequence = new CountedSequence(first, increment);
        List<Serializable> ids = new ArrayList<>();
        for (int i = 0; i < 3 * INCREMENT; i++) {
            ids.add(optimizer.generate(sequence.callback(type, null)));
        }
        return ids;
    }

    @Test
    void nothingIsFetchedBeforeTheFirstIdAndTheNextBlockWhenATenthOfTheLastIsUsed() {
        assertThat(sequence.calls).hasValue(0);
        assertThat(next(4)).isEqualTo(range(2, 5));
        assertThat(sequence.calls).hasValue(1);
        assertThat(next()).isEqualTo(6);
        assertThat(sequence.calls).hasValue(2);
        assertThat(next(49)).isEqualTo(range(7, 55));
        assertThat(sequence.calls).hasValue(2);
        assertThat(next()).isEqualTo(56);
        assertThat(sequence.calls).hasValue(3);
    }

    @Test
    void theFirstValueOfASequenceIsABlockOfOneIdAndTheNextBlockIsFetchedAtOnce() {
        CountedSequence fresh = new CountedSequence(1, INCREMENT);
        optimizer.injectInitialValue(1);

        assertThat(next(optimizer, fresh)).isEqualTo(1);
        assertThat(fresh.calls).hasValue(2);
        assertThat(next(optimizer, fresh)).isEqualTo(2);
        assertThat(fresh.calls).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whileOneCallerFetchesAllOthersGoOn(boolean readsAhead) throws Exception {
        Optimizer tested = readsAhead ? optimizer : new PooledOptimizer(Long.class, INCREMENT);
        for (int i = 0; i < (readsAhead ? 4 : INCREMENT); i++) {
            next(tested, sequence);
        }
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        sequence.before = () -> {
            begun.countDown();
            await(answer);
        };
        Future<Long> fetching = threads.submit(() -> next(tested, sequence));
        begun.await();

        if (readsAhead) {
            assertThat(threads.submit(() -> next(45)).get(1, TimeUnit.MINUTES)).isEqualTo(range(7, 51));
        } else { // the control: Hibernate's own optimizer lets them wait
            Future<Long> other = threads.submit(() -> next(tested, sequence));
            assertThatThrownBy(() -> other.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        }
        assertThat(fetching).isNotDone();
        answer.countDown();
        assertThat(fetching.get(1, TimeUnit.MINUTES)).isEqualTo(readsAhead ? 6 : 52);
    }

    @Test
    void whoHasNoIdLeftWaitsForTheFetchThatIsUnderWay() throws Exception {
        next(4);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        sequence.before = () -> {
            begun.countDown();
            await(answer);
        };
        Future<Long> fetching = threads.submit(() -> next());
        begun.await();
        next(45);
        Future<Long> waiting = threads.submit(() -> next());
        assertThatThrownBy(() -> waiting.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);

        answer.countDown();
        assertThat(waiting.get(1, TimeUnit.MINUTES)).isEqualTo(52);
        assertThat(fetching.get(1, TimeUnit.MINUTES)).isEqualTo(6);
        assertThat(sequence.calls).hasValue(2);
    }

    @Test
    void aFailedFetchAheadFailsOnlyTheCallerThatFetchesAndIsTriedAgainWhenNoIdRemains() {
        next(4);
        sequence.before = () -> {
            throw new HibernateException("the network is away");
        };
        try (LogRecords log = new LogRecords()) {
            assertThatThrownBy(this::next).hasMessage("the network is away");
            assertThat(next(45)).isEqualTo(range(7, 51));
            assertThat(sequence.calls).hasValue(2);
            assertThat(log.with("IDGEN-401")).singleElement().asString().contains("45 ids remain");
        }
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(this::next)
                    .isInstanceOf(HibernateException.class)
                    .hasMessage("the network is away");
        }

        sequence.before = () -> {};
        int calls = sequence.calls.get();
        assertThat(next(5)).isEqualTo(range(52, 56));
        assertThat(sequence.calls).as("one for the block, one ahead").hasValue(calls + 2);
    }

    @Test
    void whoWaitsForAFetchThatFailsFetchesItself() throws Exception {
        next(4);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        sequence.before = () -> {
            begun.countDown();
            await(answer);
            sequence.before = () -> {};
            throw new HibernateException("the network is away");
        };
        Future<Long> fetching = threads.submit(() -> next());
        begun.await();
        next(45);
        Future<Long> waiting = threads.submit(() -> next());
        answer.countDown();

        assertThatThrownBy(fetching::get).hasStackTraceContaining("the network is away");
        assertThat(waiting.get(1, TimeUnit.MINUTES)).isEqualTo(52);
    }

    @Test
    void eachTenantHasABlockOfItsOwn() {
        CountedSequence other = new CountedSequence(1051, INCREMENT);
        List<Long> ofA = new ArrayList<>();
        List<Long> ofB = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            ofA.add((Long) optimizer.generate(sequence.callback(Long.class, "a")));
            ofB.add((Long) optimizer.generate(other.callback(Long.class, "b")));
        }

        assertThat(ofA).isEqualTo(range(2, 121));
        assertThat(ofB).isEqualTo(range(1002, 1121));
    }

    @Test
    void aSequenceWithASmallerIncrementIsRefusedForGood() {
        CountedSequence byOne = new CountedSequence(1000, 1);
        for (long id = 951; id < 955; id++) {
            assertThat(next(optimizer, byOne)).isEqualTo(id);
        }
        assertThatThrownBy(() -> next(optimizer, byOne))
                .isInstanceOfSatisfying(
                        AllocationException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.STEP_MISMATCH))
                .hasMessageContaining("returned 1001 after 1000")
                .hasMessageContaining("allocationSize");
        for (long id = 956; id <= 1000; id++) {
            assertThat(next(optimizer, byOne)).isEqualTo(id);
        }
        for (int i = 0; i < 2 * INCREMENT; i++) {
            assertThatThrownBy(() -> next(optimizer, byOne)).hasMessageContaining("returned 1001 after 1000");
        }
    }

    @Test
    void aSequenceThatStartsAgainIsReadAnew() {
        assumeFalse(Run.isBefore("7.2"), "Hibernate resets optimizers since 7.2");
        next(30);
        CountedSequence again = new CountedSequence(51, INCREMENT);
        optimizer.reset();

        assertThat(next(optimizer, again)).isEqualTo(2);
        for (long id = 3; id <= 200; id++) {
            assertThat(next(optimizer, again)).isEqualTo(id);
        }
    }

    @Test
    void besideHibernatesOptimizersOnOneSequenceNoIdRepeats() throws Exception {
        List<Optimizer> nodes = List.of(
                new ReadAheadOptimizer(Long.class, INCREMENT),
                new PooledOptimizer(Long.class, INCREMENT),
                new ReadAheadOptimizer(Long.class, INCREMENT),
                new PooledOptimizer(Long.class, INCREMENT));
        List<Long> ids = race(nodes, sequence);

        assertThat(ids).doesNotHaveDuplicates();
        long reserved = (long) sequence.calls.get() * INCREMENT;
        assertThat(reserved - ids.size())
                .as("reserved, two blocks at most by each that reads ahead")
                .isBetween(0L, 6L * INCREMENT);
    }

    @Test
    void pooledLoBesideHibernatesPooledLo() throws Exception {
        assertThat(race(
                        List.of(
                                new ReadAheadLoOptimizer(Long.class, INCREMENT),
                                new PooledLoOptimizer(Long.class, INCREMENT)),
                        sequence))
                .doesNotHaveDuplicates();
    }

    /** The control: an optimizer that takes a value for the first id of its block repeats the ids of the others. */
    @Test
    void anOptimizerWithAnotherMeaningOfTheSequenceRepeatsIds() {
        Optimizer other = new ReadAheadLoOptimizer(Long.class, INCREMENT);
        Optimizer stock = new PooledOptimizer(Long.class, INCREMENT);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 10 * INCREMENT; i++) {
            ids.add(next(other, sequence));
            ids.add(next(stock, sequence));
        }

        assertThat(new HashSet<>(ids).size()).isLessThan(ids.size());
    }

    /** Generates 20,000 ids on four threads of each node. Asserts that the ids of each thread rise. */
    private List<Long> race(List<Optimizer> nodes, CountedSequence shared) throws Exception {
        int threadsOfNode = 4;
        int idsOfThread = 5000;
        CyclicBarrier start = new CyclicBarrier(nodes.size() * threadsOfNode);
        List<Callable<List<Long>>> tasks = new ArrayList<>();
        for (Optimizer node : nodes) {
            for (int i = 0; i < threadsOfNode; i++) {
                tasks.add(() -> {
                    start.await();
                    List<Long> ids = new ArrayList<>();
                    for (int n = 0; n < idsOfThread; n++) {
                        ids.add(next(node, shared));
                    }
                    return ids;
                });
            }
        }
        List<Long> all = new ArrayList<>();
        for (Future<List<Long>> ids : threads.invokeAll(tasks)) {
            assertThat(ids.get()).isSorted();
            all.addAll(ids.get());
        }
        return all;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
