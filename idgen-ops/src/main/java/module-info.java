/** Doctor and repairs for the person on call: worker ids in any store, and idgen's tables on a database. */
module io.idgen.ops {
    requires static transitive org.jspecify;
    requires transitive io.idgen.core;
    requires transitive io.idgen.jdbc;

    exports io.idgen.ops;
}
