/** Ids as text: codecs, encrypted public ids, and business serial numbers. */
@SuppressWarnings("module") // the modules for Jackson are built after this
module io.idgen.text {
    requires static transitive org.jspecify;
    requires transitive io.idgen.core;

    exports io.idgen.text;
    exports io.idgen.text.internal to
            io.idgen.jackson,
            io.idgen.jackson2;
}
