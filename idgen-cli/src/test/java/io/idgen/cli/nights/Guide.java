package io.idgen.cli.nights;

import io.idgen.cli.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What {@code idgen doctor --symptom} prints of the documentation, from which a person copies commands.
 *
 * @param symptom a code or words
 * @param text the sections
 */
record Guide(String symptom, String text) {
    private static final Pattern BLOCK = Pattern.compile("```(sh|sql)\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern INLINE = Pattern.compile("(?<!`)`([^`]+)`(?!`)");

    static Guide to(String symptom) {
        return new Guide(symptom, Run.of("doctor", "--symptom", symptom).printed());
    }

    /** Returns the only command or statement that begins with these words. The same one may stand there twice. */
    String code(String beginning) {
        List<String> found = all(beginning);
        if (found.size() != 1) {
            throw new AssertionError(
                    "'" + symptom + "' has " + found + " for '" + beginning + "', of " + codes().toList());
        }
        return found.get(0);
    }

    /** Returns the commands that begin with these words, in the order of the page. */
    List<String> all(String beginning) {
        return codes().filter(each -> each.startsWith(beginning)).distinct().toList();
    }

    private Stream<String> codes() {
        List<String> codes = new ArrayList<>();
        BLOCK.matcher(text).results().forEach(block -> {
            if (block.group(1).equals("sh")) {
                block.group(2).lines().map(String::strip).forEach(codes::add);
            } else {
                codes.add(block.group(2).strip());
            }
        });
        INLINE.matcher(BLOCK.matcher(text).replaceAll(""))
                .results()
                .map(inline -> inline.group(1).replaceAll("\\s+", " "))
                .forEach(codes::add);
        return codes.stream();
    }
}
