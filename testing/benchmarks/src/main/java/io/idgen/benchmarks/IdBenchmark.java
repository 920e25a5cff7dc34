package io.idgen.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Calls of one generator, which all threads of a fork share. Each fork has one contender, so that the JIT compiler
 * inlines its calls as in an application. The heap is touched in advance: the page faults of a new heap would count as
 * time of the generator.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 250, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 250, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 6,
        jvmArgs = {"-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch"})
public class IdBenchmark {
    private static final int BATCH = 1_000;

    /** Who is measured. */
    @Param
    public Peer contender = Peer.IDGEN;

    private Ids ids = () -> 0;

    /** The array of a thread. */
    @State(Scope.Thread)
    public static class Buffer {
        private final long[] ids = new long[BATCH];

        /** Called by JMH. */
        public Buffer() {}
    }

    /** Called by JMH. */
    public IdBenchmark() {}

    /** Creates the generator. */
    @Setup
    public void open() {
        ids = contender.open();
    }

    /**
     * Generates one id.
     *
     * @return the id
     */
    @Benchmark
    public long id() {
        return ids.nextId();
    }

    /**
     * Generates many ids in a new array.
     *
     * @return the ids
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long[] batch() {
        return ids.nextIds(BATCH);
    }

    /**
     * Generates many ids in an array of the caller.
     *
     * @param buffer has the array
     * @return the ids
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long[] fill(Buffer buffer) {
        ids.fill(buffer.ids);
        return buffer.ids;
    }
}
