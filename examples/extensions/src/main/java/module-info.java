/** Extensions of idgen by an application: it requires nothing that idgen-core does not export to everybody. */
module io.idgen.examples.extensions {
    requires static transitive org.jspecify;
    requires transitive io.idgen.core;

    exports io.idgen.examples.extensions;
}
