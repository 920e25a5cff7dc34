/** Meters of idgen's sources, for Micrometer. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Micrometer
module io.idgen.micrometer {
    requires static transitive org.jspecify;
    requires transitive io.idgen.core;
    requires transitive micrometer.core;

    exports io.idgen.micrometer;
}
