package io.idgen.core.internal.time;

/** The address of the documentation, for messages: a reader of a log has no copy of it. */
public final class Pages {
    /** The folder of the pages: {@value}. */
    public static final String DOCS = "https://github.com/idgen/idgen/blob/main/docs/";

    private Pages() {}
}
