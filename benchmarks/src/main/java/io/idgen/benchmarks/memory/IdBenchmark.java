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

/** Calls of one generator, which a fork makes and all its threads share. Each JVM meets one subject, so all are inlined alike. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class IdBenchmark {
    static final int BATCH = 1_000;

    /** A {@link Subject}. */
    @Param("IDGEN")
    public String subject = "";

    private LongSupplier longs = () -> 0;
    private Supplier<?> objects = Object::new;
    private IntFunction<?> batches = long[]::new;

    /** For JMH. */
    public IdBenchmark() {}

    /** Makes the generator. */
    @Setup
    public void make() {
        Made made = Subject.valueOf(subject).make();
        longs = Objects.requireNonNullElse(made.longs(), longs);
        objects = Objects.requireNonNullElse(made.objects(), objects);
        batches = made.batches();
    }

    /**
     * One id that is a number.
     *
     * @return the id
     */
    @Benchmark
    public long number() {
        return longs.getAsLong();
    }

    /**
     * One id that is an object.
     *
     * @return the id
     */
    @Benchmark
    public Object object() {
        return objects.get();
    }

    /**
     * Many ids in an array.
     *
     * @return the ids
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public Object batch() {
        return batches.apply(BATCH);
    }
}
