package io.idgen.cli.compare.result;

/** The family of a key: its size and when it is known. Compare numbers of different families with care. */
public enum KeyFamily {
    /** 64 bits, known before the insert, from time and a worker id. */
    SNOWFLAKE,
    /** 64 bits, known before the insert, allocated by the database. */
    TABLE,
    /** An {@code IdStrategy} from the user's jar. */
    OWN,
    /** 64 bits, known before the insert, from another library and the database. */
    PEER,
    /** 64 bits, known before the insert, from time and random bits. */
    TSID,
    /** 64 bits, known only after the insert. */
    WITH_ROW,
    /** 128 bits: no {@code long}, so no {@code IdSource}. */
    UUID;

    /** Returns the number of {@code long}s per key. */
    public int words() {
        return this == UUID ? 2 : 1;
    }
}
