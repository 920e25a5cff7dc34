package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.Resources;
import io.idgen.core.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The sections of {@code docs/operations.md} and {@code docs/maintenance.md} for a symptom. The build packages the
 * pages.
 */
final class Symptoms {
    private static final Pattern HEADING = Pattern.compile("^#{2,3} (.*)$", Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("(?:idgen-)?(\\d{3})");

    private final List<Section> sections;

    private Symptoms(List<Section> sections) {
        this.sections = sections;
    }

    static Symptoms packaged() {
        return new Symptoms(Stream.of("operations.md", "maintenance.md")
                .flatMap(page -> sections(read(page)).stream())
                .toList());
    }

    private static String read(String page) {
        return new String(Resources.read(Symptoms.class, page), StandardCharsets.UTF_8);
    }

    private static List<Section> sections(String page) {
        List<Section> sections = new ArrayList<>();
        List<Integer> starts =
                HEADING.matcher(page).results().map(found -> found.start()).toList();
        for (int i = 0; i < starts.size(); i++) {
            int end = i + 1 < starts.size() ? starts.get(i + 1) : page.length();
            sections.add(new Section(page.substring(starts.get(i), end).strip()));
        }
        return sections;
    }

    /** A section with its heading. */
    private record Section(String text) {
        String heading() {
            return text.lines().findFirst().orElse("").replaceFirst("#+ ", "");
        }

        boolean isPartOfAnother() {
            return text.startsWith("### ");
        }

        boolean isAbout(List<String> words) {
            String heading = heading().toLowerCase(Locale.ROOT);
            return words.stream().allMatch(heading::contains);
        }

        boolean has(List<String> words) {
            String all = text.toLowerCase(Locale.ROOT);
            return words.stream().allMatch(all::contains);
        }
    }

    /**
     * Returns what to do about a symptom: for a code, its meaning and the sections that name it; for words, the
     * sections with all of them in the heading, with their subsections, otherwise in the text.
     *
     * @throws BadInputException if there is none
     */
    String of(String symptom) {
        String lower = symptom.strip().toLowerCase(Locale.ROOT);
        Matcher code = CODE.matcher(lower);
        String found = code.matches() ? ofCode("IDGEN-" + code.group(1)) : ofWords(Arrays.asList(lower.split("\\s+")));
        if (found.isEmpty()) {
            throw new BadInputException("no section has '" + symptom.strip() + "'; the sections are: "
                    + String.join("; ", sections.stream().map(Section::heading).toList()));
        }
        return found;
    }

    private String ofCode(String code) {
        Stream<String> meaning = Arrays.stream(ErrorCode.values())
                .filter(each -> each.code().equals(code))
                .map(each -> code + ": " + each.meaning() + "\n\nWhat to do: " + each.wayOut());
        Stream<String> about = sections.stream().map(Section::text).filter(text -> text.contains("`" + code + "`"));
        return Stream.concat(meaning, about).collect(Collectors.joining("\n\n"));
    }

    private String ofWords(List<String> words) {
        List<Section> found = new ArrayList<>();
        boolean inside = false;
        for (Section each : sections) {
            inside = each.isAbout(words) || inside && each.isPartOfAnother();
            if (inside) {
                found.add(each);
            }
        }
        if (found.isEmpty()) {
            found.addAll(sections.stream().filter(each -> each.has(words)).toList());
        }
        return String.join("\n\n", found.stream().map(Section::text).toList());
    }
}
