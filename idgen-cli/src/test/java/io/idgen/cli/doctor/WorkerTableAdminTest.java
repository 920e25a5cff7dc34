package io.idgen.cli.doctor;

import io.idgen.core.lease.LeaseAdmin;
import io.idgen.core.lease.LeaseStore;
import io.idgen.core.testing.LeaseAdminContract;
import io.idgen.jdbc.JdbcWorkerIds;
import io.idgen.jdbc.internal.sql.Transactions;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.EachDatabase;
import io.idgen.jdbc.testing.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;

/** Tests the statements of the doctor and repairs on each database. */
@Tag("matrix")
@ParameterizedClass
@EachDatabase
@Tag("databases")
class WorkerTableAdminTest extends LeaseAdminContract {
    private final TestDatabase kind;

    @AutoClose
    private Database database;

    WorkerTableAdminTest(TestDatabase kind) {
        this.kind = kind;
    }

    @Override
    protected LeaseStore open() {
        database = kind.create();
        new IdgenSchema(database.dataSource()).create();
        return new JdbcWorkerIds(database.dataSource());
    }

    @Override
    protected LeaseAdmin admin() {
        KnownTables tables = new KnownTables(database.dataSource());
        return tables.admin(new Transactions(tables.dataSource(), Duration.ofSeconds(5)));
    }
}
