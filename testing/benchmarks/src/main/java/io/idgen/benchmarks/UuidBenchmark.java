package io.idgen.benchmarks;

import com.github.f4b6a3.uuid.UuidCreator;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** Calls that return a UUID, as {@link IdBenchmark} measures those that return a number. */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 250, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 250, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 6,
        jvmArgs = {"-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch"})
public class UuidBenchmark {

    /** Called by JMH. */
    public UuidBenchmark() {}

    /**
     * Generates random bits with the JDK.
     *
     * @return the id
     */
    @Benchmark
    public UUID version4() {
        return UUID.randomUUID();
    }

    /**
     * Generates a time and random bits with uuid-creator.
     *
     * @return the id
     */
    @Benchmark
    public UUID version7() {
        return UuidCreator.getTimeOrderedEpochPlus1();
    }
}
