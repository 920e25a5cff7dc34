package io.idgen.benchmarks.memory;

import com.baomidou.mybatisplus.core.toolkit.Sequence;
import com.github.f4b6a3.tsid.TsidFactory;
import com.github.f4b6a3.uuid.UuidCreator;
import com.github.yitter.contract.IdGeneratorOptions;
import com.github.yitter.idgen.DefaultIdGenerator;
import io.hypersistence.tsid.TSID;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.segment.Segment;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.core.segment.SegmentIdSource;
import io.idgen.core.snowflake.ClockPolicy;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.jdbc.JdbcWorkerIds;
import io.idgen.jdbc.schema.IdgenSchema;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import me.ahoo.cosid.segment.DefaultSegmentId;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.snowflake.ClockSyncSnowflakeId;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import org.h2.jdbcx.JdbcDataSource;
import org.hibernate.id.IdentifierGeneratorHelper;
import org.hibernate.id.IntegralDataTypeHolder;
import org.hibernate.id.enhanced.AccessCallback;
import org.hibernate.id.enhanced.Optimizer;
import org.hibernate.id.enhanced.PooledLoOptimizer;
import org.hibernate.id.enhanced.PooledLoThreadLocalOptimizer;
import org.jspecify.annotations.Nullable;

/** The subjects of the measurements: idgen's generators, their peers, and the limits of the machine. */
enum Subject {
    IDGEN("idgen snowflake", Kind.CAPPED, () -> Made.of(snowflake("41-5-5-12", "wait:5ms"))),
    IDGEN_AHEAD("idgen snowflake, run-ahead:1s", Kind.CAPPED, () -> Made.of(snowflake("41-5-5-12", "run-ahead:1s"))),
    IDGEN_LEASED("idgen snowflake, leased", Kind.CAPPED, () -> Made.of(leased("41-5-5-12", false))),
    COSID("CosId MillisecondSnowflakeId, clock sync", Kind.CAPPED, () -> {
        ClockSyncSnowflakeId ids = new ClockSyncSnowflakeId(new MillisecondSnowflakeId(1));
        return Made.of(ids::generate);
    }),
    MYBATIS_PLUS("MyBatis-Plus Sequence", Kind.CAPPED, () -> {
        Sequence ids = new Sequence(1, 1);
        return Made.of(ids::nextId);
    }),
    HUTOOL("Hutool Snowflake", Kind.CAPPED, () -> {
        cn.hutool.core.lang.Snowflake ids = new cn.hutool.core.lang.Snowflake(1, 1);
        return Made.of(ids::nextId);
    }),
    CLASSIC("classic, synchronized", Kind.CAPPED, () -> {
        Classic ids = new Classic(1);
        return Made.of(ids::nextId);
    }),

    IDGEN_WIDE("idgen snowflake 41-0-4-18", Kind.WIDE, () -> Made.of(snowflake("41-0-4-18", "wait:5ms"))),
    IDGEN_WIDE_AHEAD(
            "idgen snowflake 41-0-4-18, run-ahead:1s",
            Kind.WIDE,
            () -> Made.of(snowflake("41-0-4-18", "run-ahead:1s"))),
    IDGEN_WIDE_EXACT(
            "idgen snowflake 41-0-4-18, exact tick", Kind.WIDE, () -> Made.of(fixed("41-0-4-18", "wait:5ms", false))),
    IDGEN_WIDE_RACED(
            "idgen snowflake 41-0-4-18, after 8 threads",
            Kind.WIDE,
            () -> Made.of(afterRace(snowflake("41-0-4-18", "wait:5ms")))),
    IDGEN_WIDE_LEASED("idgen snowflake 41-0-4-18, leased", Kind.WIDE, () -> Made.of(leased("41-0-4-18", true))),
    IDGEN_WIDE_LEASED_EXACT(
            "idgen snowflake 41-0-4-18, leased, exact tick", Kind.WIDE, () -> Made.of(leased("41-0-4-18", false))),
    IDGEN_WIDEST("idgen snowflake 41-0-1-21", Kind.WIDE, () -> Made.of(snowflake("41-0-1-21", "wait:5ms"))),
    TSID_CREATOR("tsid-creator", Kind.WIDE, () -> {
        TsidFactory ids = TsidFactory.builder().withNodeBits(4).withNode(1).build();
        return Made.of(() -> ids.create().toLong());
    }),
    HYPERSISTENCE("hypersistence-tsid", Kind.WIDE, () -> {
        TSID.Factory ids = TSID.Factory.builder().withNodeBits(4).withNode(1).build();
        return Made.of(() -> ids.generate().toLong());
    }),
    YITTER("Yitter", Kind.WIDE, () -> {
        IdGeneratorOptions options = new IdGeneratorOptions((short) 1);
        options.WorkerIdBitLength = 4;
        options.SeqBitLength = 18;
        options.MaxSeqNumber = Short.MAX_VALUE; // the maximum of its type
        options.TopOverCostCount = 10_000;
        DefaultIdGenerator ids = new DefaultIdGenerator(options);
        return Made.of(ids::newLong);
    }),

    IDGEN_SEGMENT("idgen segments", Kind.SEGMENT, () -> Made.of(segments().build())),
    IDGEN_SEGMENT_THREAD(
            "idgen segments, order=thread",
            Kind.SEGMENT,
            () -> Made.of(segments().threadOrder().build())),
    COSID_CHAIN("CosId SegmentChainId", Kind.SEGMENT, () -> {
        SegmentChainId ids = new SegmentChainId(new IdSegmentDistributor.Atomic(Subject.STEP));
        return Made.of(ids::generate);
    }),
    COSID_SEGMENT("CosId DefaultSegmentId", Kind.SEGMENT, () -> {
        DefaultSegmentId ids = new DefaultSegmentId(new IdSegmentDistributor.Atomic(Subject.STEP));
        return Made.of(ids::generate);
    }),
    POOLED_LO("Hibernate pooled-lo", Kind.SEGMENT, () -> hibernate(new PooledLoOptimizer(Long.class, Subject.STEP))),
    POOLED_LO_THREAD(
            "Hibernate pooled-lo, thread-local",
            Kind.SEGMENT,
            () -> hibernate(new PooledLoThreadLocalOptimizer(Long.class, Subject.STEP))),

    IDGEN_SEGMENT_FAR(
            "idgen segments, 1 ms for an allocation",
            Kind.FAR,
            () -> Made.of(segments(() -> LockSupport.parkNanos(1_000_000)).build())),

    IDGEN_WIDEST_INTO(
            "idgen snowflake 41-0-1-21, array of the caller",
            Kind.ARRAY,
            () -> Made.into(snowflake("41-0-1-21", "wait:5ms"))),
    IDGEN_SEGMENT_INTO(
            "idgen segments, array of the caller",
            Kind.ARRAY,
            () -> Made.into(segments().build())),

    UUID_4("java.util.UUID, version 4", Kind.UUID, () -> Made.objects(UUID::randomUUID)),
    UUID_7("uuid-creator, version 7", Kind.UUID, () -> Made.objects(UuidCreator::getTimeOrderedEpochPlus1)),

    EMPTY_ARRAY("an array of the JVM, empty", Kind.ARRAY, () -> new Made(() -> 0, null, long[]::new)),
    CLOCK("clock read, milliseconds", Kind.LIMIT, () -> Made.of(System::currentTimeMillis)),
    NANO_CLOCK("clock read, nanoTime", Kind.LIMIT, () -> Made.of(System::nanoTime)),
    SHARED_ADD("atomic add, shared", Kind.LIMIT, () -> {
        AtomicLong counter = new AtomicLong();
        return Made.of(counter::incrementAndGet);
    }),
    OWN_ADD("atomic add, one for each thread", Kind.LIMIT, () -> {
        ThreadLocal<AtomicLong[]> counters = ThreadLocal.withInitial(Subject::apart);
        return Made.of(() -> counters.get()[Subject.APART].incrementAndGet());
    }),
    OWN_COUNT("counter, one for each thread", Kind.LIMIT, () -> {
        ThreadLocal<long[]> counters = ThreadLocal.withInitial(() -> new long[2 * Subject.APART]);
        return Made.of(() -> ++counters.get()[Subject.APART]);
    }),
    OWN_BLOCKS("blocks of 256 for each thread", Kind.LIMIT, () -> {
        AtomicLong shared = new AtomicLong();
        ThreadLocal<long[]> blocks = ThreadLocal.withInitial(() -> new long[2 * Subject.APART]);
        return Made.of(() -> {
            long[] block = blocks.get();
            long next = block[Subject.APART];
            if ((next & 255) == 0) {
                next = shared.getAndAdd(256);
            }
            block[Subject.APART] = next + 1;
            return next;
        });
    });

    /** The kinds of generators that are compared with each other. */
    enum Kind {
        CAPPED("Snowflakes with 4,096 ids per millisecond"),
        WIDE("Snowflakes with 18 bits of sequence or more"),
        SEGMENT("Segments, steps from 1,000 on"),
        FAR("Segments of a table over a network"),
        UUID("UUIDs"),
        ARRAY("Arrays"),
        LIMIT("What the machine can do");

        final String title;

        Kind(String title) {
            this.title = title;
        }
    }

    /** The first step of all generators with segments. */
    private static final int STEP = 1_000;

    /** The number of longs between counters of different threads, so that they never share a cache line. */
    private static final int APART = 16;

    final String title;
    final Kind kind;
    private final Supplier<Made> maker;

    Subject(String title, Kind kind, Supplier<Made> maker) {
        this.title = title;
        this.kind = kind;
        this.maker = maker;
    }

    Made make() {
        return maker.get();
    }

    /** Returns whether its ids are objects instead of numbers. */
    boolean givesObjects() {
        return kind == Kind.UUID || this == POOLED_LO || this == POOLED_LO_THREAD;
    }

    boolean isOurs() {
        return name().startsWith("IDGEN");
    }

    static List<Subject> of(Kind kind) {
        return Arrays.stream(values()).filter(subject -> subject.kind == kind).toList();
    }

    /** Returns all subjects that generate single ids, without the limits of the machine. */
    static Set<Subject> generators() {
        Set<Subject> all = EnumSet.allOf(Subject.class);
        all.removeAll(of(Kind.LIMIT));
        all.removeAll(of(Kind.ARRAY));
        all.removeAll(of(Kind.FAR));
        return all;
    }

    private static AtomicLong[] apart() {
        AtomicLong[] counters = new AtomicLong[2 * Subject.APART];
        Arrays.setAll(counters, i -> new AtomicLong());
        return counters;
    }

    private static Snowflake snowflake(String layout, String policy) {
        return fixed(layout, policy, true);
    }

    private static Snowflake fixed(String layout, String policy, boolean cachedTick) {
        return Snowflake.builder()
                .layout(SnowflakeLayout.parse(layout))
                .workerId(1)
                .namespace(layout + policy)
                .clockPolicy(ClockPolicy.parse(policy))
                .cachedTick(cachedTick)
                .build();
    }

    /**
     * Creates a generator with a lease, as in an application with a database. This database is in the memory of the
     * fork, and is called every few seconds.
     */
    private static Snowflake leased(String layout, boolean cachedTick) {
        JdbcDataSource database = new JdbcDataSource();
        String name = "leased-" + layout + (cachedTick ? "" : "-exact");
        database.setURL("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
        new IdgenSchema(database).create();
        Snowflake ids = Snowflake.builder()
                .layout(SnowflakeLayout.parse(layout))
                .cachedTick(cachedTick)
                .namespace(name)
                .leasedFrom(new JdbcWorkerIds(database))
                .build();
        ids.warmUp();
        return ids;
    }

    /** Lets eight threads race for ids first: what they leave behind must not slow down later calls. */
    private static Snowflake afterRace(Snowflake ids) {
        IntStream.range(0, 8)
                .mapToObj(i -> new Thread(
                        () -> LongStream.generate(ids::nextId).limit(1_000_000).sum()))
                .peek(Thread::start)
                .toList()
                .forEach(Subject::join);
        return ids;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static SegmentIdSource.Builder segments() {
        return segments(() -> {});
    }

    /** Creates segments of a table in memory, which does something before each allocation. */
    private static SegmentIdSource.Builder segments(Runnable before) {
        AtomicLong next = new AtomicLong(1);
        SegmentAllocator table = (name, wanted) -> {
            before.run();
            return new Segment(next.getAndAdd(wanted), wanted, 1);
        };
        return SegmentIdSource.builder(table, "benchmark").step(Subject.STEP);
    }

    private static Made hibernate(Optimizer optimizer) {
        AtomicLong next = new AtomicLong(1);
        AccessCallback table = new AccessCallback() {
            @Override
            public IntegralDataTypeHolder getNextValue() {
                return IdentifierGeneratorHelper.getIntegralDataTypeHolder(Long.class)
                        .initialize(next.getAndAdd(Subject.STEP));
            }

            @Override
            public @Nullable String getTenantIdentifier() {
                return null;
            }
        };
        return Made.objects(() -> optimizer.generate(table));
    }
}
