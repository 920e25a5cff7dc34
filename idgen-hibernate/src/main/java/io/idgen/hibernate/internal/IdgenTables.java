package io.idgen.hibernate.internal;

import io.idgen.jdbc.internal.dialect.Dialects;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.model.relational.AuxiliaryDatabaseObject;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.dialect.Dialect;

/**
 * Adds the tables of idgen that a unit's sources need to Hibernate's schema. Hibernate creates them wherever it creates
 * tables, and writes their DDL into its scripts. The statements are those of idgen's own scripts.
 *
 * <p>The tables are only ever created, never dropped, emptied or changed. Hibernate would drop a mapped table with
 * {@code create} and {@code create-drop}, and empty it with {@code SchemaManager.truncateMappedObjects()}. Other
 * processes rely on the rows. Ticks up to a horizon are granted to a process that may be alive; without the row they
 * would be granted again. Ids below {@code next_id} may be in the memory of another process, or in tables of another
 * application.
 *
 * <p>So there are no DROP statements, and no statement changes existing tables and rows. {@code update}, which runs
 * them at each boot, changes nothing. {@code create} continues above the ids that were issued before. To drop tables
 * that you no longer need, use {@code IdgenSchema.drop} after all processes have ended.
 *
 * <p>{@code validate} does not read them: without a table, the first id fails. Nothing is added on a database whose
 * statements cannot be repeated, or for which idgen has no script.
 */
final class IdgenTables implements AuxiliaryDatabaseObject {
    private static final long serialVersionUID = 1L;

    /** Names of databases by those of Hibernate's dialects, which also stand for their subclasses. */
    private static final Map<String, String> DATABASES = Map.of(
            "H2Dialect",
            "h2",
            "HSQLDialect",
            "hsqldb",
            "MariaDBDialect",
            "mariadb",
            "MySQLDialect",
            "mysql",
            "PostgreSQLDialect",
            "postgresql");

    private final IdgenService service;

    /** Creates the object for one registry; the service lists the tables when Hibernate creates the schema. */
    IdgenTables(IdgenService service) {
        this.service = service;
    }

    /** Returns the service of a unit's generators, which have added it; empty if idgen generates no values there. */
    static Optional<IdgenService> service(Metadata metadata) {
        return metadata.getDatabase().getAuxiliaryDatabaseObjects().stream()
                .filter(IdgenTables.class::isInstance)
                .map(each -> ((IdgenTables) each).service.current())
                .findFirst();
    }

    /** Returns the same identifier for each generator, so that Hibernate creates the tables once. */
    @Override
    public String getExportIdentifier() {
        return "tables of idgen";
    }

    /** Returns the name of a database whose tables Hibernate can create; empty for others. */
    static Optional<String> database(Dialect dialect) {
        return Stream.<Class<?>>iterate(dialect.getClass(), Dialect.class::isAssignableFrom, Class::getSuperclass)
                .flatMap(type -> Stream.ofNullable(DATABASES.get(type.getSimpleName())))
                .findFirst();
    }

    @Override
    public boolean appliesToDialect(Dialect dialect) {
        return database(dialect).isPresent();
    }

    @Override
    public boolean beforeTablesOnCreation() {
        return false;
    }

    /** Returns one statement per line, since Hibernate reads scripts that way. */
    @Override
    public String[] sqlCreateStrings(SqlStringGenerationContext context) {
        return database(context.getDialect())
                .map(Dialects::named)
                .map(service.current()::createTables)
                .orElseThrow()
                .toArray(String[]::new);
    }

    @Override
    public String[] sqlDropStrings(SqlStringGenerationContext context) {
        return new String[0];
    }
}
