package io.idgen.hibernate.internal;

import java.io.Serializable;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.id.IntegralDataTypeHolder;
import org.hibernate.id.enhanced.AccessCallback;
import org.hibernate.id.enhanced.Optimizer;
import org.hibernate.sql.ast.tree.expression.Expression;

/**
 * Makes Hibernate request an id for each row of an HQL {@code insert … select}. Hibernate does so for generators whose
 * optimizer has an increment above 1, since the JVM generates their numbers. It assumes SQL for all other generators,
 * or numbers the rows itself. This optimizer does nothing else; the ids come from the generator.
 */
final class RowByRow implements Optimizer {

    @Override
    public int getIncrementSize() {
        return 2;
    }

    @Override
    public boolean applyIncrementSizeToSourceValues() {
        return false;
    }

    @Override
    public Serializable generate(AccessCallback callback) {
        throw noSource();
    }

    @Override
    public void reset() {
        throw noSource();
    }

    @Override
    public IntegralDataTypeHolder getLastSourceValue() {
        throw noSource();
    }

    @Override
    public Expression createLowValueExpression(Expression databaseValue, SessionFactoryImplementor sessionFactory) {
        throw noSource();
    }

    private static UnsupportedOperationException noSource() {
        return new UnsupportedOperationException("idgen generates ids before the SQL statement, not in it");
    }
}
