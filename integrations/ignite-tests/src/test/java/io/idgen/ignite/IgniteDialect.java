package io.idgen.ignite;

import io.idgen.jdbc.dialect.Dialect;

/**
 * Apache Ignite as somebody could have added it, with nothing but the standard's statements. Each is committed by
 * itself.
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
