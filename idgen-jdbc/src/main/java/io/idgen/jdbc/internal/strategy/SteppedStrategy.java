package io.idgen.jdbc.internal.strategy;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourceTable;
import io.idgen.core.segment.SegmentAllocator;
import io.idgen.jdbc.Counters;
import io.idgen.jdbc.SteppedSequence;
import io.idgen.jdbc.internal.dialect.JdbcUrl;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * {@code stepped}: uses one instance of several in the usual database, or all of them in turn, if their numbered URLs
 * are set.
 */
public final class SteppedStrategy extends TableStrategy {
    private static final int MOST_INSTANCES = 999;

    private static final Setting<Integer> INSTANCE = Setting.of(
            "stepped.instance",
            "The number of this database's instance in the strategy stepped, from 1 to the number of instances.",
            Setting.integer(1, MOST_INSTANCES));
    private static final Setting<Integer> INSTANCES = Setting.of(
            "stepped.instances",
            "The number of instances of the strategy stepped; each has its own database.",
            Setting.integer(1, MOST_INSTANCES));
    private static final Setting<String> URL = Setting.<String>of(
            "stepped.<i>.url",
            "The JDBC URL of instance i, with i from 1; if you set all of them, a process uses the instances in turn.",
            JdbcUrl::checked);
    private static final Setting<String> USER =
            Setting.<String>of("stepped.<i>.user", "The user for instance i.", JdbcSettings.UNCHANGED);
    private static final Setting<String> PASSWORD = Setting.<String>of(
                    "stepped.<i>.password", "The password for instance i.", JdbcSettings.UNCHANGED)
            .withDefault("");

    /** Called by the service loader. */
    public SteppedStrategy() {
        super("stepped", List.of(INSTANCE, INSTANCES, URL, USER, PASSWORD));
    }

    @Override
    void check(SourceContext context) {
        int given = given(context);
        Optional<Integer> instances = context.find(INSTANCES);
        if (given > 0) {
            if (instances.isPresent() && instances.get() != given) {
                throw context.refusal(
                        INSTANCES, "there are " + given + " databases for " + instances.get() + " instances");
            }
            return;
        }
        if (instances.isEmpty() || context.find(INSTANCE).isEmpty()) {
            throw new ConfigurationException(
                    ErrorCode.INVALID_SETTING,
                    "source '" + context.name()
                            + "' uses the strategy stepped, which needs its instance and the number of instances; set "
                            + INSTANCE + " and " + INSTANCES + ", or one database per instance by " + URL);
        }
        if (context.get(INSTANCE) > instances.get()) {
            throw context.refusal(
                    INSTANCE, "instance must be 1 to " + instances.get() + ", got " + context.get(INSTANCE));
        }
    }

    @Override
    void checkDatabase(SourceContext context) {
        if (given(context) == 0) {
            super.checkDatabase(context);
        }
    }

    /** The number of databases that are set, one per instance; 0 if none. */
    private static int given(SourceContext context) {
        int count = 0;
        while (count < MOST_INSTANCES && context.find(URL.at(count + 1)).isPresent()) {
            count++;
        }
        return count;
    }

    @Override
    List<SourceTable> tables(SourceContext context) {
        return given(context) > 0 ? List.of() : super.tables(context);
    }

    @Override
    JdbcAccess database(SourceContext context) {
        return given(context) > 0 ? database(context, 1) : super.database(context);
    }

    @Override
    SegmentAllocator allocator(SourceContext context) {
        List<Counters> counters = counters(context);
        return given(context) > 0 ? new SteppedSequence(counters) : counters.get(0);
    }

    @Override
    List<Counters> counters(SourceContext context) {
        int given = given(context);
        return given == 0
                ? List.of(super.counters(context).get(0).instance(context.get(INSTANCE), context.get(INSTANCES)))
                : IntStream.rangeClosed(1, given)
                        .mapToObj(i -> counters(database(context, i), timeout(context), context)
                                .instance(i, given))
                        .toList();
    }

    private static JdbcAccess database(SourceContext context, int instance) {
        return JdbcAccess.of(
                context,
                context.get(URL.at(instance)),
                context.find(USER.at(instance)).orElse(""),
                context.find(PASSWORD.at(instance)).orElse(""),
                timeout(context));
    }

    /**
     * The timeout of one instance. It is short enough for a caller to try all instances within its own timeout, even if
     * only the last one answers.
     */
    private static Duration timeout(SourceContext context) {
        Duration timeout = context.get(JdbcSettings.TIMEOUT);
        Duration share =
                context.get(ACQUIRE_TIMEOUT).dividedBy(given(context) + 1L).plusMillis(1);
        return given(context) == 1 || timeout.compareTo(share) < 0 ? timeout : share;
    }
}
