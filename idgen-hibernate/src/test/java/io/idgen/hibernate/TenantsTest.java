package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.Sql;
import io.idgen.jdbc.testing.TestDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.support.ProxyDataSource;
import org.hibernate.Session;
import org.hibernate.annotations.TenantId;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.hibernate.exception.ConstraintViolationException;
import org.hibernate.service.UnknownUnwrapTypeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests several tenants: with a schema for each, or with a column that contains the tenant. */
class TenantsTest {
    private final Database database = Run.createSharedDatabase();
    private final String a = tenant("a");
    private final String b = tenant("b");

    /** Returns the schema of a tenant. If a schema is a database, its name must be unique on the server. */
    private static String tenant(String name) {
        return "tenant_" + name
                + (Run.hasCatalogs() ? "_" + ProcessHandle.current().pid() : "");
    }

    @BeforeEach
    void createSchemas() throws SQLException {
        for (String tenant : List.of(a, b)) {
            execute((Run.hasCatalogs() ? "CREATE DATABASE " : "CREATE SCHEMA ") + tenant);
            execute("CREATE TABLE " + tenant + ".Plain (id BIGINT PRIMARY KEY)");
        }
        execute("INSERT INTO " + a + ".Plain VALUES (10)");
        execute("INSERT INTO " + b + ".Plain VALUES (48211)");
    }

    @AfterEach
    void drop() throws SQLException {
        if (Run.hasCatalogs()) {
            execute("DROP DATABASE " + a);
            execute("DROP DATABASE " + b);
        }
        database.close();
    }

    /** Connects each tenant to its own schema of one database. */
    private static final class Schemas implements MultiTenantConnectionProvider<String> {
        private static final long serialVersionUID = 1L;

        private final transient Database database;
        private final String any;

        Schemas(Database database, String any) {
            this.database = database;
            this.any = any;
        }

        @Override
        public Connection getAnyConnection() throws SQLException {
            return getConnection(any);
        }

        @Override
        public void releaseAnyConnection(Connection connection) throws SQLException {
            connection.close();
        }

        @Override
        public Connection getConnection(String tenant) throws SQLException {
            Connection connection = database.dataSource().getConnection();
            if (Run.hasCatalogs()) {
                connection.setCatalog(tenant);
            } else {
                connection.setSchema(Run.KIND == TestDatabase.H2 ? tenant.toUpperCase() : tenant);
            }
            return connection;
        }

        @Override
        public void releaseConnection(String tenant, Connection connection) throws SQLException {
            connection.close();
        }

        @Override
        public boolean supportsAggressiveRelease() {
            return false;
        }

        @Override
        public boolean isUnwrappableAs(Class<?> type) {
            return false;
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            throw new UnknownUnwrapTypeException(type);
        }
    }

    private Unit.Builder tenants(String strategy) {
        return Unit.of(Plain.class)
                .set("hibernate.hbm2ddl.auto", "none")
                .set("hibernate.multi_tenant_connection_provider", new Schemas(database, a))
                .set("idgen.acquire-timeout", "1m")
                .set("idgen.strategy", strategy);
    }

    private static long persist(Unit unit, String tenant) {
        Plain entity = new Plain();
        persist(unit, tenant, entity);
        return entity.id;
    }

    private static void persist(Unit unit, String tenant, Object entity) {
        try (Session session =
                unit.factory().withOptions().tenantIdentifier((Object) tenant).openSession()) {
            session.beginTransaction();
            session.persist(entity);
            session.getTransaction().commit();
        }
    }

    /** Returns the URL of the database with a tenant's schema as the default schema. */
    private String urlOf(String tenant) {
        return switch (Run.KIND) {
            case POSTGRESQL -> database.url() + "&currentSchema=" + tenant;
            case MARIADB, MYSQL -> database.url().replaceFirst("/idgen_[0-9_]+\\?", "/" + tenant + "?");
            default -> database.url() + ";SCHEMA=" + tenant.toUpperCase();
        };
    }

    @Test
    void segmentsOfTenantsAreRefusedAtBootWithTheWayOutInsteadOfBeginningAboveTheRowsOfOne() {
        assertThatThrownBy(() -> tenants("segment")
                        .set("idgen.jdbc.url", urlOf(a))
                        .set("idgen.jdbc.initialize-schema", "always")
                        .boot())
                .hasStackTraceContaining("IDGEN-404: source 'plain' serves tenants")
                .hasStackTraceContaining("idgen.sources.plain.start")
                .hasStackTraceContaining("idgen.sources.plain.adopt");
    }

    /** The control: an id above the rows of one schema can exist in another one. */
    @Test
    void anIdAboveTheRowsOfOneSchemaIsADuplicateInTheOther() throws SQLException {
        execute("INSERT INTO " + b + ".Plain VALUES (11)");
        try (Unit unit = tenants("segment")
                .set("idgen.jdbc.url", urlOf(a))
                .set("idgen.jdbc.initialize-schema", "always")
                .set("idgen.sources.plain.adopt", a + ".Plain.id")
                .boot()) {
            Plain entity = new Plain();
            assertThatThrownBy(() -> persist(unit, b, entity)).isInstanceOf(ConstraintViolationException.class);
            assertThat(entity.id)
                    .as("the first id above the rows of the other schema")
                    .isEqualTo(11);
            assertThat(persist(unit, a)).isEqualTo(12);
        }
    }

    @Test
    void allTenantsShareOneRowThatBeginsAboveTheIdsOfAll() {
        try (Unit unit = tenants("segment")
                .set("idgen.jdbc.url", database.url())
                .set("idgen.jdbc.initialize-schema", "always")
                .set("idgen.sources.plain.adopt", a + ".Plain.id," + b + ".Plain.id")
                .boot()) {
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                ids.add(persist(unit, a));
                ids.add(persist(unit, b));
            }

            assertThat(ids).containsExactly(48212L, 48213L, 48214L, 48215L, 48216L, 48217L);
        }
    }

    @Test
    void snowflakesOfTenantsLeaseTheirWorkerIdFromTheOneDatabaseThatIsNamed() {
        try (Unit unit = tenants("snowflake")
                .set("idgen.jdbc.data-source", database.dataSource())
                .set("idgen.jdbc.initialize-schema", "always")
                .boot()) {
            assertThat(List.of(persist(unit, a), persist(unit, b), persist(unit, a)))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void withoutSuchADatabaseTheBootIsRefusedAndNamesTheSetting() {
        assertThatThrownBy(() -> tenants("snowflake").boot())
                .hasStackTraceContaining("IDGEN-105")
                .hasStackTraceContaining("set idgen.jdbc.data-source or idgen.jdbc.url");
    }

    /** Stands for a subclass of Spring's AbstractRoutingDataSource. */
    private static class AbstractRoutingDataSource extends ProxyDataSource {
        AbstractRoutingDataSource(DataSource target) {
            super(target);
        }
    }

    @Test
    void aDataSourceThatRoutesCountsAsOneOfTenants() {
        assertThatThrownBy(() -> routed().boot())
                .hasStackTraceContaining("IDGEN-405: source 'plain' needs a database, and the application has several")
                .hasStackTraceContaining("to Hibernate as idgen.jdbc.data-source");
        assertThatThrownBy(() -> routed().set("idgen.jdbc.data-source", database.dataSource())
                        .boot())
                .hasStackTraceContaining("idgen.sources.plain.start");
    }

    private Unit.Builder routed() {
        return Unit.of(Plain.class)
                .dataSource(new AbstractRoutingDataSource(database.dataSource()) {})
                .set("idgen.strategy", "segment");
    }

    @Test
    void aSequenceOfEachTenantIsReadAheadByItself() throws SQLException {
        if (!Run.hasSequences()) {
            return;
        }
        for (String tenant : List.of(a, b)) {
            execute("CREATE TABLE " + tenant + ".Ticket (id BIGINT PRIMARY KEY)");
            execute("CREATE SEQUENCE " + tenant + ".ticket_seq START WITH " + (tenant.equals(a) ? 1 : 1051)
                    + " INCREMENT BY 50");
        }
        try (Unit unit = Unit.of(ReadAheadTest.Ticket.class)
                .set("hibernate.hbm2ddl.auto", "none")
                .set("hibernate.multi_tenant_connection_provider", new Schemas(database, a))
                .set(ReadAheadTest.PREFERRED, ReadAheadOptimizer.class.getName())
                .boot()) {
            List<Long> ofA = new ArrayList<>();
            List<Long> ofB = new ArrayList<>();
            for (int i = 0; i < 110; i++) {
                ofA.add(persistTicket(unit, a));
                ofB.add(persistTicket(unit, b));
            }

            assertThat(ofA).isEqualTo(LongStream.rangeClosed(1, 110).boxed().toList());
            assertThat(ofB).isEqualTo(LongStream.rangeClosed(1002, 1111).boxed().toList());
        }
    }

    private static long persistTicket(Unit unit, String tenant) {
        ReadAheadTest.Ticket ticket = new ReadAheadTest.Ticket();
        persist(unit, tenant, ticket);
        return ticket.id;
    }

    /** An entity with the tenant in a column. */
    @Entity(name = "Shared")
    static class Shared {
        @Id
        @SnowflakeId
        Long id;

        @TenantId
        String tenant;
    }

    @Test
    void tenantsInAColumnShareTheTableAndItsIdsAsWithoutTenants() throws SQLException {
        execute("CREATE TABLE Shared (id BIGINT PRIMARY KEY, tenant VARCHAR(255))");
        execute("INSERT INTO Shared VALUES (77, 'a')");
        try (Unit unit = Unit.of(Shared.class)
                .url(database.url())
                .set("idgen.strategy", "segment")
                .set("idgen.acquire-timeout", "1m")
                .boot()) {
            List<Long> ids = new ArrayList<>();
            for (String tenant : List.of("a", "b")) {
                Shared entity = new Shared();
                persist(unit, tenant, entity);
                ids.add(entity.id);
            }

            assertThat(ids).containsExactly(78L, 79L);
        }
    }

    private void execute(String sql) throws SQLException {
        Sql.execute(database.dataSource(), sql);
    }
}
