package io.idgen.cli.compare;

/** What a key is and when it is known: whoever compares numbers across families should see that line. */
enum Family {
    /** 64 bits, known before the insert, from time and a worker id. */
    SNOWFLAKE("64 bits, before the insert, from time and worker id"),
    /** 64 bits, known before the insert, shared out by the database. */
    TABLE("64 bits, before the insert, shared out by the database"),
    /** An {@code IdStrategy} that a jar of the user's adds. */
    OWN("64 bits, before the insert, your own strategy"),
    /** 64 bits, known only after the insert. */
    WITH_ROW("64 bits, known only after the insert"),
    /** 128 bits: no {@code long}, so no {@code IdSource}. */
    UUID("128 bits, before the insert");

    private final String text;

    Family(String text) {
        this.text = text;
    }

    /** In words. */
    String text() {
        return text;
    }

    /** How many {@code long}s a key takes. */
    int words() {
        return this == UUID ? 2 : 1;
    }
}
