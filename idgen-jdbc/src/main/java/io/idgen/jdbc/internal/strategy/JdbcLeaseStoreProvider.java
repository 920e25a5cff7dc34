package io.idgen.jdbc.internal.strategy;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.StoreUnavailableException;
import io.idgen.core.config.LeaseStoreProvider;
import io.idgen.core.config.Setting;
import io.idgen.core.config.SourceContext;
import io.idgen.core.config.SourceTable;
import io.idgen.jdbc.JdbcWorkerIds;
import io.idgen.jdbc.internal.sql.LargestValue;
import io.idgen.jdbc.internal.sql.SqlName;
import io.idgen.jdbc.internal.sql.Transactions;
import java.util.List;
import java.util.OptionalLong;

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
        return JdbcSettings.SETTINGS;
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
                        (connection, dialect) -> LargestValue.of(connection, dialect, name, false)));
    }

    private static SqlName columnName(String column) {
        try {
            return SqlName.parse(column, 2, 3);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(ErrorCode.INVALID_SETTING, String.valueOf(e.getMessage()), e);
        }
    }

    /** On an outage, a source without a lease generates ids as before: nothing else of it needs the database. */
    @Override
    public void checkKeys(SourceContext context) {
        if (!JdbcSettings.isAvailable(context)) {
            return;
        }
        try {
            StartLook.of(context).beforeIds(context);
        } catch (StoreUnavailableException e) {
            System.getLogger(JdbcLeaseStoreProvider.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "the ids in " + context.keys() + " are not compared with the layout in use: "
                                    + e.getMessage());
        }
    }

    @Override
    public JdbcWorkerIds open(SourceContext context) {
        JdbcAccess access = JdbcAccess.of(context);
        String table = access.table(TABLE);
        JdbcWorkerIds ids = new JdbcWorkerIds(access)
                .inTable(table)
                .withTimeout(context.get(JdbcSettings.TIMEOUT))
                .beforeLeases(StartLook.of(context).beforeLeases(table));
        ids = context.find(OWNER).map(ids::ownedBy).orElse(ids);
        return context.find(JdbcSettings.SERVER_IDENTITY).map(ids::identifiedAs).orElse(ids);
    }
}
