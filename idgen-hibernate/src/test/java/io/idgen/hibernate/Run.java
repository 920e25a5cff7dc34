package io.idgen.hibernate;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import org.hibernate.Version;

/** The version of Hibernate and the database of this test run. */
final class Run {
    /** The kind of database; H2 by default. */
    static final TestDatabase KIND = TestDatabase.valueOf(System.getProperty("test.database", "H2"));

    private static final String VERSION = Version.getVersionString();

    private Run() {}

    static Database createDatabase() {
        return KIND.create();
    }

    /** Creates a database that other processes can open. */
    static Database createSharedDatabase() {
        return KIND.createShared();
    }

    /** Returns whether a schema is a database, as on MariaDB and MySQL. Hibernate calls it a catalog. */
    static boolean hasCatalogs() {
        return KIND == TestDatabase.MARIADB || KIND == TestDatabase.MYSQL;
    }

    /** Returns whether the database has sequences. */
    static boolean hasSequences() {
        return KIND != TestDatabase.MYSQL;
    }

    static String name() {
        return VERSION + " " + KIND;
    }

    /** Returns whether Hibernate is older than a release line such as 7.1. */
    static boolean isBefore(String line) {
        return compare(line) < 0;
    }

    private static int compare(String line) {
        String[] wanted = line.split("\\.");
        String[] here = VERSION.split("\\.");
        int major = Integer.compare(Integer.parseInt(here[0]), Integer.parseInt(wanted[0]));
        return major != 0 ? major : Integer.compare(Integer.parseInt(here[1]), Integer.parseInt(wanted[1]));
    }
}
