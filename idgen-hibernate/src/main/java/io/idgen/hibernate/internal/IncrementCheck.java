package io.idgen.hibernate.internal;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.hibernate.ReadAheadLoOptimizer;
import io.idgen.hibernate.ReadAheadOptimizer;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.relational.QualifiedName;
import org.hibernate.cfg.MappingSettings;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.id.SequenceMismatchStrategy;
import org.hibernate.id.enhanced.DatabaseStructure;
import org.hibernate.id.enhanced.SequenceStyleGenerator;
import org.hibernate.tool.schema.extract.spi.SequenceInformation;
import org.jspecify.annotations.Nullable;

/**
 * Compares the increments of sequences with those of the mapping, for the optimizers that read ahead. Hibernate makes
 * this check only for its own optimizers. With another increment, ids repeat.
 */
final class IncrementCheck {
    private IncrementCheck() {}

    /**
     * Checks the sequences of all entities, as far as Hibernate knows the sequences of the database.
     *
     * @throws ConfigurationException {@link ErrorCode#STEP_MISMATCH} if one has another increment
     */
    static void check(SessionFactoryImplementor factory) {
        if (SequenceMismatchStrategy.interpret(
                        factory.getProperties().get(MappingSettings.SEQUENCE_INCREMENT_SIZE_MISMATCH_STRATEGY))
                == SequenceMismatchStrategy.NONE) {
            return;
        }
        JdbcEnvironment environment = factory.getJdbcServices().getJdbcEnvironment();
        factory.getMappingMetamodel().forEachEntityDescriptor(entity -> {
            if (entity.getGenerator() instanceof SequenceStyleGenerator generator
                    && (generator.getOptimizer() instanceof ReadAheadOptimizer
                            || generator.getOptimizer() instanceof ReadAheadLoOptimizer)
                    && generator.getDatabaseStructure().isPhysicalSequence()) {
                check(entity.getEntityName(), generator.getDatabaseStructure(), environment);
            }
        });
    }

    private static void check(String entity, DatabaseStructure sequence, JdbcEnvironment environment) {
        QualifiedName name = sequence.getPhysicalName();
        for (SequenceInformation known :
                environment.getExtractedDatabaseMetaData().getSequenceInformationList()) {
            Number increment = known.getIncrementValue();
            if (increment != null
                    && increment.longValue() != sequence.getIncrementSize()
                    && isSame(known.getSequenceName(), name, environment)) {
                throw new ConfigurationException(
                        ErrorCode.STEP_MISMATCH,
                        "entity " + entity + ": sequence "
                                + name.getObjectName().getText() + " has increment " + increment
                                + ", and the mapping has allocationSize = " + sequence.getIncrementSize()
                                + "; set allocationSize = " + increment);
            }
        }
    }

    private static boolean isSame(QualifiedName known, QualifiedName name, JdbcEnvironment environment) {
        return isSame(known.getObjectName(), name.getObjectName(), null)
                && isSame(known.getSchemaName(), name.getSchemaName(), environment.getCurrentSchema())
                && isSame(known.getCatalogName(), name.getCatalogName(), environment.getCurrentCatalog());
    }

    /** Returns whether two names are the same, where a missing one is the current one. */
    private static boolean isSame(@Nullable Identifier known, @Nullable Identifier name, @Nullable Identifier current) {
        Identifier wanted = name == null ? current : name;
        return known == null || wanted == null || known.getText().equalsIgnoreCase(wanted.getText());
    }
}
