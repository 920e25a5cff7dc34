/** Ids as text: codecs, encrypted public ids, and business serial numbers. */
module io.idgen.text {
    requires static transitive org.jspecify;
    requires transitive io.idgen.core;

    exports io.idgen.text;
}
