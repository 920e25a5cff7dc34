package io.idgen.examples.quickstart;

import io.idgen.cli.doctor.Growth;
import io.idgen.cli.doctor.IdgenTables;
import io.idgen.cli.doctor.Repair;
import java.util.List;
import javax.sql.DataSource;

/** The code block of {@code docs/maintenance.md}. */
public final class Maintenance {
    private Maintenance() {}

    /**
     * Prepares a promoted server, and adds a database to the strategy stepped.
     *
     * @param dataSource the promoted server
     * @param db1 the first database of the old list
     * @param db2 the new database
     */
    public static void repairs(DataSource dataSource, DataSource db1, DataSource db2) {
        Repair.of(new IdgenTables(dataSource)).afterPromotion();
        Growth.to(List.of(new IdgenTables(db1), new IdgenTables(db2))).grow(System.out::println);
    }
}
