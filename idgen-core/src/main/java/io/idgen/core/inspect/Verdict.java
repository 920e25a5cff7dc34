package io.idgen.core.inspect;

/** What two or more ids that were laid side by side say about how they were made. */
public sealed interface Verdict permits Duplicates, Difference {

    /**
     * The verdict in plain language, with its reasons and where to look next.
     *
     * @return sentences in English, times in UTC
     */
    String text();
}
