package io.idgen.cli.compare.result;

import java.util.List;
import java.util.Map;

/**
 * A comparison: the content of the JSON file and of the page.
 *
 * @param conditions how it was measured: a name and a sentence each
 * @param answers which kind for whom
 * @param notes what was not compared, and why
 */
public record Comparison(
        String started, Map<String, String> conditions, List<Answer> answers, List<String> notes, List<Kind> kinds) {

    /**
     * A recommendation.
     *
     * @param need who needs this kind
     * @param kind the name of a kind in the comparison
     * @param settings the settings to copy
     * @param why what the user gets, and what it costs
     */
    public record Answer(String need, String kind, List<String> settings, String why) {}
}
