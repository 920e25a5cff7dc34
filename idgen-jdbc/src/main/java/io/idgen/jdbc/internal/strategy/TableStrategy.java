package io.idgen.jdbc.internal.strategy;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdStrategy;
import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourcePlan;
import io.idgen.core.config.SourceTable;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.core.segment.SegmentIdSource;
import io.idgen.jdbc.Counters;
import io.idgen.jdbc.internal.connection.ApplicationSchema;
import io.idgen.jdbc.internal.sql.CounterRows;
import io.idgen.jdbc.internal.sql.SqlName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Base class of the strategies that use a database: common settings, and a source over the strategy's allocator. */
abstract class TableStrategy implements IdStrategy {
    private static final Setting<Long> START = Setting.ofSource(
            "start", "The first id of a source that has no row yet.", Setting.wholeNumber(1, Long.MAX_VALUE - 1));
    private static final Setting<List<SqlName>> ADOPT = Setting.ofSource(
            "adopt",
            "One or more columns as table.column, separated by commas; a source that has no row yet starts above their largest value.",
            TableStrategy::columns);

    private static final Setting<Long> REACH = Setting.of(
            "segment.reach",
            "How many ids a row grants at most in ten minutes, for rows that have no reach yet. After a takeover by a replica,"
                    + " twice as many are skipped. If not set, 100000000 or 1/2048 of the limit, whichever is less.",
            Setting.wholeNumber(1, 1L << 40));

    private static final List<Setting<?>> COMMON = List.of(ACQUIRE_TIMEOUT, START, LIMIT, ADOPT, REACH);

    private final String name;
    private final List<Setting<?>> settings;

    /** Creates a strategy with its own settings in addition to the common ones. */
    TableStrategy(String name, List<Setting<?>> own) {
        this.name = name;
        List<Setting<?>> all = new ArrayList<>(own);
        all.addAll(COMMON);
        all.addAll(JdbcSettings.SETTINGS);
        this.settings = List.copyOf(all);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final List<Setting<?>> settings() {
        return settings;
    }

    @Override
    public List<Class<?>> resources() {
        return JdbcSettings.RESOURCES;
    }

    @Override
    public final SourcePlan plan(SourceContext context) {
        check(context);
        return new SourcePlan(context.limit() - 1, tables(context), () -> checkDatabase(context), () -> open(context));
    }

    private IdSource open(SourceContext context) {
        checkDatabase(context);
        SegmentAllocator allocator = StartLook.of(context).beforeIds(context, allocator(context));
        SegmentIdSource.Builder builder = configured(context.segments(allocator), context)
                .refills(database(context).refills());
        if (context.isGiven(ACQUIRE_TIMEOUT)) { // otherwise, the first ids may take longer than its default
            builder.acquireTimeout(context.get(ACQUIRE_TIMEOUT));
        }
        return builder.build();
    }

    /**
     * Checks the settings, without I/O.
     *
     * @throws io.idgen.core.ConfigurationException if a setting is missing or invalid
     */
    void check(SourceContext context) {}

    /**
     * Checks that the source has a database, and that a row of one schema does not serve the tables of several, without
     * I/O.
     *
     * @throws ConfigurationException if it has no database, or if idgen cannot know the largest id of all tenants
     */
    void checkDatabase(SourceContext context) {
        JdbcSettings.check(context);
        boolean hasTenants = context.resource(ApplicationSchema.class)
                .filter(ApplicationSchema::hasTenants)
                .isPresent();
        if (hasTenants && context.find(START).isEmpty() && context.find(ADOPT).isEmpty()) {
            throw new ConfigurationException(
                    ErrorCode.START_UNKNOWN,
                    "source '" + context.name()
                            + "' serves tenants that have a schema or a database each, and idgen does not know the largest"
                            + " id of all of them; all tenants share one row, so their ids differ: set idgen.sources."
                            + context.name() + ".start above the ids of every tenant (1 if there are none), or"
                            + " idgen.sources." + context.name()
                            + ".adopt to the columns of all tenants, for example a.orders.id,b.orders.id");
        }
    }

    /** The tables of idgen that a source needs in the application's database. */
    List<SourceTable> tables(SourceContext context) {
        return JdbcSettings.tables(context, CounterRows.TABLE);
    }

    /** Returns the database whose threads fetch ids. */
    JdbcAccess database(SourceContext context) {
        return JdbcAccess.of(context);
    }

    /** Returns what reserves the ids of a source. */
    SegmentAllocator allocator(SourceContext context) {
        return counters(context).get(0);
    }

    /** Returns the counters of a source, one for each database with a row; empty if it has none. */
    List<Counters> counters(SourceContext context) {
        return List.of(counters(JdbcAccess.of(context), context.get(JdbcSettings.TIMEOUT), context));
    }

    /** Applies the strategy's own settings to the source. */
    SegmentIdSource.Builder configured(SegmentIdSource.Builder builder, SourceContext context) {
        return builder;
    }

    /** Returns the counters of a database, with the common settings applied. */
    static Counters counters(JdbcAccess database, Duration timeout, SourceContext context) {
        Counters counters = new Counters(database)
                .inTable(database.table(CounterRows.TABLE))
                .withTimeout(timeout)
                .below(context.limit());
        counters = context.find(JdbcSettings.SERVER_IDENTITY)
                .map(counters::identifiedAs)
                .orElse(counters);
        counters = context.find(REACH).map(counters::withReach).orElse(counters);
        counters = context.find(START).map(counters::startingAt).orElse(counters);
        for (SqlName column : context.find(ADOPT).orElse(List.of())) {
            counters = counters.adopting(column.toString());
        }
        return JdbcAccess.ofEntities(context).map(counters::adoptingFrom).orElse(counters);
    }

    private static List<SqlName> columns(String text) {
        return Arrays.stream(text.split(",", -1))
                .map(column -> SqlName.parse(column, 2, 4))
                .toList();
    }
}
