package io.idgen.benchmarks.memory;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Benchmarks calls of one generator. A fork creates it and all its threads share it. Each JVM has one subject, so calls
 * are inlined equally for all.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class IdBenchmark {
    static final int BATCH = 1_000;

    /** The name of a {@link Subject}. */
    @Param("IDGEN")
    public String subject = "";

    private LongSupplier longs = () -> 0;
    private Supplier<?> objects = Object::new;
    private IntFunction<?> batches = long[]::new;

    /** Called by JMH. */
    public IdBenchmark() {}

    /** Creates the generator. */
    @Setup
    public void make() {
        Made made = Subject.valueOf(subject).make();
        longs = Objects.requireNonNullElse(made.longs(), longs);
        objects = Objects.requireNonNullElse(made.objects(), objects);
        batches = made.batches();
    }

    /**
     * Generates an id that is a number.
     *
     * @return the id
     */
    @Benchmark
    public long number() {
        return longs.getAsLong();
    }

    /**
     * Generates an id that is an object.
     *
     * @return the id
     */
    @Benchmark
    public Object object() {
        return objects.get();
    }

    /**
     * Generates many ids in an array.
     *
     * @return the ids
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public Object batch() {
        return batches.apply(BATCH);
    }
}
