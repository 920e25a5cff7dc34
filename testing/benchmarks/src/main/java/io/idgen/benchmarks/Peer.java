package io.idgen.benchmarks;

import com.baomidou.mybatisplus.core.toolkit.Sequence;
import com.github.f4b6a3.tsid.TsidFactory;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
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

/** The generators that are measured: idgen's, their peers, and two limits of the machine. */
public enum Peer {
    // 4,096 ids per millisecond
    IDGEN(() -> Ids.of(fixed(Layouts.DEFAULT, "wait:5ms", true))),
    IDGEN_AHEAD(() -> Ids.of(fixed(Layouts.DEFAULT, "run-ahead:1s", true))),
    IDGEN_LEASED(() -> Ids.of(leased(Layouts.DEFAULT, true))),
    COSID(() -> new ClockSyncSnowflakeId(new MillisecondSnowflakeId(1))::generate),
    MYBATIS_PLUS(() -> new Sequence(1, 1)::nextId),
    HUTOOL(() -> new cn.hutool.core.lang.Snowflake(1, 1)::nextId),
    CLASSIC(() -> new Classic(1)::nextId),

    // 18 bits of sequence or more; EXACT reads the clock for each id
    IDGEN_WIDE(() -> Ids.of(fixed(Layouts.WIDE, "wait:5ms", true))),
    IDGEN_WIDE_AHEAD(() -> Ids.of(fixed(Layouts.WIDE, "run-ahead:1s", true))),
    IDGEN_WIDE_EXACT(() -> Ids.of(fixed(Layouts.WIDE, "wait:5ms", false))),
    IDGEN_WIDE_LEASED(() -> Ids.of(leased(Layouts.WIDE, true))),
    IDGEN_WIDE_LEASED_EXACT(() -> Ids.of(leased(Layouts.WIDE, false))),
    IDGEN_WIDEST(() -> Ids.of(fixed(Layouts.WIDEST, "wait:5ms", true))),
    TSID_CREATOR(() -> {
        TsidFactory ids = TsidFactory.builder().withNodeBits(4).withNode(1).build();
        return () -> ids.create().toLong();
    }),
    HYPERSISTENCE(() -> {
        TSID.Factory ids = TSID.Factory.builder().withNodeBits(4).withNode(1).build();
        return () -> ids.generate().toLong();
    }),
    YITTER(() -> {
        IdGeneratorOptions options = new IdGeneratorOptions((short) 1);
        options.WorkerIdBitLength = 4;
        options.SeqBitLength = 18;
        options.MaxSeqNumber = Short.MAX_VALUE; // the maximum of its type
        options.TopOverCostCount = 10_000;
        return new DefaultIdGenerator(options)::newLong;
    }),

    // segments of a table in memory
    IDGEN_SEGMENT(() -> Ids.of(segments().build())),
    IDGEN_SEGMENT_THREAD(() -> Ids.of(segments().threadOrder().build())),
    COSID_CHAIN(() -> new SegmentChainId(new IdSegmentDistributor.Atomic(Layouts.STEP))::generate),
    COSID_SEGMENT(() -> new DefaultSegmentId(new IdSegmentDistributor.Atomic(Layouts.STEP))::generate),
    POOLED_LO(() -> hibernate(new PooledLoOptimizer(Long.class, Layouts.STEP))),
    POOLED_LO_THREAD(() -> hibernate(new PooledLoThreadLocalOptimizer(Long.class, Layouts.STEP))),

    // what the machine can do
    CLOCK(() -> System::currentTimeMillis),
    SHARED_ADD(() -> new AtomicLong()::incrementAndGet);

    /** What the contenders have in common. */
    private static final class Layouts {
        static final String DEFAULT = "41-5-5-12";
        static final String WIDE = "41-0-4-18";
        static final String WIDEST = "41-0-1-21";

        /** The first step of all generators with segments. */
        static final int STEP = 1_000;
    }

    private final Supplier<Ids> opener;

    Peer(Supplier<Ids> opener) {
        this.opener = opener;
    }

    Ids open() {
        return opener.get();
    }

    private static Snowflake fixed(String layout, String policy, boolean cachedTick) {
        return Snowflake.builder()
                .layout(SnowflakeLayout.parse(layout))
                .workerId(1)
                .namespace(layout + policy + cachedTick)
                .clockPolicy(ClockPolicy.parse(policy))
                .cachedTick(cachedTick)
                .build();
    }

    /** As in an application with a database, which is in the memory of the fork, and is called every few seconds. */
    private static Snowflake leased(String layout, boolean cachedTick) {
        JdbcDataSource database = new JdbcDataSource();
        String name = "leased-" + layout + cachedTick;
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

    private static SegmentIdSource.Builder segments() {
        AtomicLong next = new AtomicLong(1);
        SegmentAllocator table = (name, wanted) -> new Segment(next.getAndAdd(wanted), wanted, 1);
        return SegmentIdSource.builder(table, "benchmark").step(Layouts.STEP);
    }

    private static Ids hibernate(Optimizer optimizer) {
        AtomicLong next = new AtomicLong(1);
        AccessCallback table = new AccessCallback() {
            @Override
            public IntegralDataTypeHolder getNextValue() {
                return IdentifierGeneratorHelper.getIntegralDataTypeHolder(Long.class)
                        .initialize(next.getAndAdd(Layouts.STEP));
            }

            @Override
            public @Nullable String getTenantIdentifier() {
                return null;
            }
        };
        return () -> ((Number) optimizer.generate(table)).longValue();
    }
}
