package io.idgen.ignite;

import io.idgen.jdbc.dialect.Dialect;

/**
 * A dialect for Apache Ignite as a user could write it, with only the standard statements. Each statement is committed
 * on its own.
 */
public final class IgniteDialect implements Dialect {

    @Override
    public String name() {
        return "ignite";
    }

    @Override
    public boolean speaks(String product, String version) {
        return product.contains("Ignite");
    }

    @Override
    public boolean addsInOneStatement() {
        return true;
    }
}
