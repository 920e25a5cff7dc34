package io.idgen.jdbc.internal.strategy;

import io.idgen.core.AllocationException;
import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.config.ExistingIds;
import io.idgen.core.config.LeaseStoreProvider;
import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourceTable;
import io.idgen.core.lease.LeaseStore;
import io.idgen.jdbc.JdbcWorkerIds;
import io.idgen.jdbc.internal.sql.LargestValue;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import javax.sql.DataSource;

/** {@code jdbc}: leases worker ids from a table in the database of idgen's other tables. */
public final class JdbcLeaseStoreProvider implements LeaseStoreProvider {
    private static final String TABLE = "worker";

    /** Called by the service loader. */
    public JdbcLeaseStoreProvider() {}

    @Override
    public String name() {
        return "jdbc";
    }

    @Override
    public List<Setting<?>> settings() {
        List<Setting<?>> all = new ArrayList<>(JdbcSettings.SETTINGS);
        all.add(JdbcSettings.SERVER_IDENTITY);
        return all;
    }

    @Override
    public List<Class<?>> resources() {
        return JdbcSettings.RESOURCES;
    }

    @Override
    public boolean isAvailable(SourceContext context) {
        return JdbcSettings.isAvailable(context);
    }

    @Override
    public void check(SourceContext context) {
        JdbcSettings.check(context);
    }

    @Override
    public List<SourceTable> tables(SourceContext context) {
        return JdbcSettings.tables(context, TABLE);
    }

    @Override
    public OptionalLong largestValue(SourceContext context, String column) {
        SqlName name = columnName(column);
        return OptionalLong.of(new Transactions(JdbcAccess.of(context).dataSource(), context.get(JdbcSettings.TIMEOUT))
                .commit(
                        "reading the largest value of " + name,
                        (connection, dialect) -> LargestValue.of(connection, dialect, name)));
    }

    private static SqlName columnName(String column) {
        try {
            return SqlName.parse(column, 2, 3);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(ErrorCode.INVALID_SETTING, String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public LeaseStore open(SourceContext context, ExistingIds existing) {
        if (existing.columns().isEmpty()) {
            return open(context);
        }
        DataSource entities = JdbcAccess.ofEntities(context)
                .orElseGet(() -> JdbcAccess.of(context).dataSource());
        Transactions transactions = new Transactions(entities, context.get(JdbcSettings.TIMEOUT));
        return open(context)
                .beforeFirstUse(latest -> existing.columns()
                        .forEach(column ->
                                largestId(transactions, column).ifPresent(id -> existing.check(column, id, latest))));
    }

    /**
     * Returns the largest id in a column; empty if there is no table, or if it cannot be read, which is logged.
     *
     * @throws StoreUnavailableException if the database does not answer
     */
    private static OptionalLong largestId(Transactions transactions, String column) {
        try {
            SqlName name = SqlName.parse(column, 2, 4);
            return LargestValue.ifTableExists(transactions, "reading the largest id in " + name, name);
        } catch (StoreUnavailableException e) {
            throw e; // the next attempt reads again
        } catch (AllocationException | IllegalArgumentException e) {
            System.getLogger(JdbcLeaseStoreProvider.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "the ids in {0} are not compared with the layout in use: {1}",
                            column,
                            e.getMessage());
            return OptionalLong.empty();
        }
    }

    @Override
    public JdbcWorkerIds open(SourceContext context) {
        JdbcAccess access = JdbcAccess.of(context);
        JdbcWorkerIds ids = new JdbcWorkerIds(access.withSchema())
                .inTable(access.table(TABLE))
                .withTimeout(context.get(JdbcSettings.TIMEOUT));
        JdbcWorkerIds owned = context.find(OWNER).map(ids::ownedBy).orElse(ids);
        return context.find(JdbcSettings.SERVER_IDENTITY)
                .map(owned::identifiedAs)
                .orElse(owned);
    }
}
