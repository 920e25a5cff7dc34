/**
 * Support for tests of applications and extensions: contracts, a manual clock, and a lease store and an id source in
 * memory.
 */
module io.idgen.test {
    requires static transitive org.jspecify;
    requires static transitive org.junit.jupiter.api;
    requires transitive io.idgen.core;

    exports io.idgen.test;

    opens io.idgen.test to
            org.junit.platform.commons;
}
