package io.idgen.hibernate.internal;

import java.io.Serializable;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.id.IntegralDataTypeHolder;
import org.hibernate.id.enhanced.AccessCallback;
import org.hibernate.id.enhanced.Optimizer;
import org.hibernate.sql.ast.tree.expression.Expression;

/**
 * Makes Hibernate ask for an id per row of an HQL {@code insert … select}. It does so for generators whose optimizer has an
 * increment above 1, for their numbers are made in this JVM; all others it believes to be SQL, or numbers the rows itself.
 * There is nothing else to it: ids come from the generator.
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
        return new UnsupportedOperationException("ids of idgen are made before SQL, not in it");
    }
}
