package io.idgen.jdbc.internal.strategy;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourceTable;
import io.idgen.jdbc.SteppedDatabases;
import io.idgen.jdbc.SteppedSequence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * {@code stepped}: one instance of several on the usual database, or all of them in turn, with their databases handed in as
 * {@link SteppedDatabases} or named by numbered URLs.
 */
public final class SteppedStrategy extends TableStrategy {
    private static final int MOST_INSTANCES = 999;

    private static final Setting<Integer> INSTANCE = Setting.of(
            "stepped.instance",
            "Which of the instances of the strategy stepped the database is, 1 to their number.",
            Setting.wholeNumber(1, MOST_INSTANCES).andThen(Long::intValue));
    private static final Setting<Integer> INSTANCES = Setting.of(
            "stepped.instances",
            "How many instances of the strategy stepped there are, each with a database of its own.",
            Setting.wholeNumber(1, MOST_INSTANCES).andThen(Long::intValue));
    private static final Setting<String> URL = Setting.<String>of(
            "stepped.<i>.url",
            "The database of instance i, with i from 1; with all of them given, a process takes from each in turn.",
            text -> text);
    private static final Setting<String> USER =
            Setting.<String>of("stepped.<i>.user", "The user for instance i.", text -> text);
    private static final Setting<String> PASSWORD = Setting.<String>of(
                    "stepped.<i>.password", "The password for instance i.", text -> text)
            .withDefault("");

    private static final String OWN_TABLE = "stepped";

    /** Made by the service loader. */
    public SteppedStrategy() {
        super(List.of(INSTANCE, INSTANCES, URL, USER, PASSWORD));
    }

    @Override
    public String name() {
        return "stepped";
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
        super.check(context);
        if (instances.isEmpty() || context.find(INSTANCE).isEmpty()) {
            throw new ConfigurationException(
                    ErrorCode.INVALID_SETTING,
                    "source '" + context.name() + "' is one instance of several, and of which is not said; set "
                            + INSTANCE + " and " + INSTANCES + ", or a database for each by " + URL);
        }
        if (context.get(INSTANCE) > instances.get()) {
            throw context.refusal(
                    INSTANCE, "instance " + context.get(INSTANCE) + " is not one of 1 to " + instances.get());
        }
    }

    /** For how many instances databases are given, one each. */
    private static int given(SourceContext context) {
        Optional<SteppedDatabases> handedIn = context.resource(SteppedDatabases.class);
        if (handedIn.isPresent()) {
            return handedIn.get().dataSources().size();
        }
        int count = 0;
        while (count < MOST_INSTANCES && context.find(URL.at(count + 1)).isPresent()) {
            count++;
        }
        return count;
    }

    @Override
    List<SourceTable> tables(SourceContext context) {
        return given(context) > 0 ? List.of() : JdbcAccess.tables(context, OWN_TABLE);
    }

    @Override
    Access access(SourceContext context) {
        List<JdbcAccess> databases = databases(context);
        List<DataSource> dataSources =
                databases.stream().map(JdbcAccess::withSchema).toList();
        SteppedSequence sequence = given(context) > 0
                ? SteppedSequence.over(dataSources)
                : new SteppedSequence(dataSources.get(0), context.get(INSTANCE), context.get(INSTANCES));
        sequence = configured(sequence, databases.get(0).table(OWN_TABLE), timeout(context, databases.size()), context);
        return new Access(sequence, databases.get(0));
    }

    private static List<JdbcAccess> databases(SourceContext context) {
        if (given(context) == 0) {
            return List.of(JdbcAccess.of(context));
        }
        Optional<SteppedDatabases> handedIn = context.resource(SteppedDatabases.class);
        if (handedIn.isPresent()) {
            return handedIn.get().dataSources().stream()
                    .map(dataSource -> JdbcAccess.of(context, dataSource))
                    .toList();
        }
        List<JdbcAccess> databases = new ArrayList<>();
        for (int i = 1; i <= given(context); i++) {
            databases.add(JdbcAccess.of(
                    context,
                    context.get(URL.at(i)),
                    context.find(USER.at(i)).orElse(""),
                    context.find(PASSWORD.at(i)).orElse(""),
                    timeout(context, given(context))));
        }
        return databases;
    }

    /** So short that a caller can outlive all instances but one that say nothing, and be served by that one. */
    private static Duration timeout(SourceContext context, int databases) {
        Duration timeout = context.get(JdbcAccess.TIMEOUT);
        if (databases == 1) {
            return timeout;
        }
        Duration share = context.get(ACQUIRE_TIMEOUT).dividedBy(databases + 1L).plusMillis(1);
        return share.compareTo(timeout) < 0 ? share : timeout;
    }
}
