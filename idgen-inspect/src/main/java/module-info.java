/** Analysis of existing ids: decodes, compares and measures them. */
module io.idgen.inspect {
    requires static transitive org.jspecify;
    requires transitive io.idgen.core;

    exports io.idgen.inspect;
}
