package io.idgen.jdbc;

import static io.idgen.jdbc.testing.TestDatabase.H2;
import static io.idgen.jdbc.testing.TestDatabase.HSQLDB;
import static io.idgen.jdbc.testing.TestDatabase.MARIADB;
import static io.idgen.jdbc.testing.TestDatabase.MARIADB_BY_MYSQL_DRIVER;
import static io.idgen.jdbc.testing.TestDatabase.MYSQL;
import static io.idgen.jdbc.testing.TestDatabase.MYSQL_BY_MARIADB_DRIVER;
import static io.idgen.jdbc.testing.TestDatabase.SQLITE;

import io.idgen.jdbc.testing.TestDatabase;
import java.util.Set;

/**
 * A test of {@link JdbcAllocatorContract} that is impossible for an allocator on some databases, with the reason.
 */
enum Exemption {
    NETWORK_TIMEOUT("the driver has no network timeout, so none is set", HSQLDB),
    OPEN_TRANSACTION(
            "the driver does not tell an open transaction by refusing setReadOnly; the row's lock alone is looked at",
            MARIADB,
            MARIADB_BY_MYSQL_DRIVER,
            MYSQL,
            MYSQL_BY_MARIADB_DRIVER,
            SQLITE),
    KILLED_SESSION(
            "no other session can end one of this process; the connection is closed under its statement instead",
            H2,
            HSQLDB,
            SQLITE),
    READ_ONLY_SESSION("no session of a database that may be written can be made read-only", H2),
    READ_ONLY_SEQUENCE("taking a value of a sequence is no writing there", HSQLDB),
    GRANTS("it knows no users, or checks no grants unless the whole database is set to", SQLITE),
    GRANTS_OF_SEQUENCES("everybody may use a sequence", H2);

    private final Set<TestDatabase> databases;

    Exemption(String why, TestDatabase... databases) {
        this.databases = Set.of(databases);
    }

    boolean isOf(TestDatabase database) {
        return databases.contains(database);
    }
}
