package io.idgen.hibernate.internal;

import io.idgen.jdbc.internal.dialect.Dialects;
import java.util.Optional;
import java.util.stream.Stream;
import org.hibernate.boot.model.relational.AuxiliaryDatabaseObject;
import org.hibernate.boot.model.relational.Database;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.dialect.Dialect;

/**
 * The tables of idgen that a unit's sources need, as a part of Hibernate's schema: made wherever Hibernate makes tables, and
 * written into its scripts, by the statements of idgen's own scripts.
 *
 * <p>They are only ever made, never dropped, emptied or changed. A mapped table would be dropped by {@code create} and {@code
 * create-drop} and emptied by {@code SchemaManager.truncateMappedObjects()}, and with it what other processes rely on: the
 * ticks up to a horizon are granted to a process that may be alive, and with the row gone they would be granted again; the ids
 * below {@code max_id} may still be in another's memory, or in tables of another application. So there is nothing to drop, and
 * every statement leaves alone what it finds: {@code update}, which runs them at each boot, changes nothing, and {@code create}
 * goes on above the ids that were given out before. What is no longer wanted is dropped by {@code IdgenSchema.drop}, when all
 * processes have ended.
 *
 * <p>{@code validate} does not look at them. On a database whose statements cannot be repeated, or that idgen has no script
 * for, nothing is contributed.
 */
final class IdgenTables implements AuxiliaryDatabaseObject {
    private static final long serialVersionUID = 1L;

    private final IdgenService service;

    /** The tables of one registry's sources; which they are is asked when the schema is made. */
    IdgenTables(IdgenService service) {
        this.service = service;
    }

    /** Those that the generators of a unit have contributed: none if idgen gives no values there. */
    static Stream<IdgenTables> in(Database database) {
        return database.getAuxiliaryDatabaseObjects().stream()
                .filter(IdgenTables.class::isInstance)
                .map(IdgenTables.class::cast);
    }

    IdgenService service() {
        return service;
    }

    /** The same for each generator that contributes them, or they would be made for each. */
    @Override
    public String getExportIdentifier() {
        return "tables of idgen";
    }

    @Override
    public boolean appliesToDialect(Dialect dialect) {
        return database(dialect).isPresent();
    }

    @Override
    public boolean beforeTablesOnCreation() {
        return false;
    }

    /** One statement per line, as Hibernate reads scripts back. */
    @Override
    public String[] sqlCreateStrings(SqlStringGenerationContext context) {
        return service.createTables(database(context.getDialect()).orElseThrow()).stream()
                .map(statement -> statement.replaceAll("\\s+", " "))
                .toArray(String[]::new);
    }

    @Override
    public String[] sqlDropStrings(SqlStringGenerationContext context) {
        return new String[0];
    }

    /** As idgen's scripts call it, if they can be run twice. */
    static Optional<String> database(Dialect dialect) {
        return Dialects.ofHibernate(dialect.getClass()).map(io.idgen.jdbc.dialect.Dialect::name);
    }
}
