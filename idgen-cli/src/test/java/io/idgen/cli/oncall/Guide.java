package io.idgen.cli.oncall;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The sections of {@code docs/operations.md} and {@code docs/maintenance.md} for a symptom, from which a person copies
 * commands.
 *
 * @param symptom a code, or words of a heading
 * @param text the sections
 */
record Guide(String symptom, String text) {
    private static final Pattern BLOCK = Pattern.compile("```(sh|sql)\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern INLINE = Pattern.compile("(?<!`)`([^`]+)`(?!`)");

    static Guide to(String symptom) {
        List<String> sections = Stream.of("operations.md", "maintenance.md")
                .flatMap(page -> Stream.of(read(page).split("(?m)^(?=#{2,3} )")))
                .toList();
        boolean isCode = symptom.startsWith("IDGEN-");
        List<String> found = new ArrayList<>();
        boolean inside = false;
        for (String section : sections) {
            String heading = section.lines().findFirst().orElse("").toLowerCase(Locale.ROOT);
            boolean isPart = !isCode && inside && heading.startsWith("### ");
            inside = isPart
                    || (isCode
                            ? section.contains("`" + symptom + "`")
                            : heading.startsWith("#")
                                    && Stream.of(symptom.toLowerCase(Locale.ROOT)
                                                    .split(" "))
                                            .allMatch(heading::contains));
            if (inside) {
                found.add(section);
            }
        }
        if (found.isEmpty()) {
            found.addAll(
                    sections.stream().filter(each -> each.contains(symptom)).toList());
        }
        return new Guide(symptom, String.join("\n", found));
    }

    private static String read(String page) {
        try {
            return Files.readString(Path.of("..", "docs", page));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
