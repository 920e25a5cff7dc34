package io.idgen.text;

/** The result of a comparison of ids: how they differ, or why they are equal. */
public sealed interface Verdict permits Duplicates, Difference {

    /**
     * Returns the verdict as text, with its reasons and what to check next.
     *
     * @return English sentences, with times in UTC
     */
    String text();
}
