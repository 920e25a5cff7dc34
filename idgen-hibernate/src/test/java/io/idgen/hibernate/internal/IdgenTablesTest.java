package io.idgen.hibernate.internal;

import static io.idgen.hibernate.internal.IdgenTables.database;
import static org.assertj.core.api.Assertions.assertThat;

import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.H2Dialect;
import org.hibernate.dialect.HSQLDialect;
import org.hibernate.dialect.MariaDBDialect;
import org.hibernate.dialect.MySQLDialect;
import org.hibernate.dialect.OracleDialect;
import org.hibernate.dialect.PostgreSQLDialect;
import org.hibernate.dialect.SQLServerDialect;
import org.junit.jupiter.api.Test;

class IdgenTablesTest {
    /** A subclass of a dialect, as an application may have. */
    private static final class Variant extends PostgreSQLDialect {}

    @Test
    void hibernatesDialectsAndTheirSubclassesAreKnownByName() {
        assertThat(database(new H2Dialect())).contains("h2");
        assertThat(database(new HSQLDialect())).contains("hsqldb");
        assertThat(database(new MySQLDialect())).contains("mysql");
        assertThat(database(new MariaDBDialect())).contains("mariadb");
        assertThat(database(new PostgreSQLDialect())).contains("postgresql");
        assertThat(database(new Variant())).contains("postgresql");
    }

    @Test
    void nothingIsMadeWhereTheScriptCannotRunTwice() {
        for (Dialect dialect : new Dialect[] {new OracleDialect(), new SQLServerDialect()}) {
            assertThat(database(dialect)).isEmpty();
        }
    }
}
