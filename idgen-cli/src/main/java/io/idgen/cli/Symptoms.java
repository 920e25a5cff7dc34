package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sections of {@code docs/operations.md} for a symptom. The build packages the page. */
final class Symptoms {
    private static final Pattern HEADING = Pattern.compile("^#{2,3} (.*)$", Pattern.MULTILINE);
    private static final Pattern CODE = Pattern.compile("(?:idgen-)?(\\d{3})");
    private static final Pattern LINK = Pattern.compile("\\(#([^)]+)\\)");

    private final String page;
    private final List<Section> sections = new ArrayList<>();

    private Symptoms(String page) {
        this.page = page;
        List<Integer> starts =
                HEADING.matcher(page).results().map(found -> found.start()).toList();
        for (int i = 0; i < starts.size(); i++) {
            int end = i + 1 < starts.size() ? starts.get(i + 1) : page.length();
            sections.add(new Section(page.substring(starts.get(i), end).strip()));
        }
    }

    static Symptoms packaged() {
        try (InputStream in =
                Objects.requireNonNull(Symptoms.class.getResourceAsStream("operations.md"), "operations.md")) {
            return new Symptoms(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A section with its heading. */
    private record Section(String text) {
        String heading() {
            return text.lines().findFirst().orElse("").replaceFirst("#+ ", "");
        }

        /** The name by which links refer to the section. */
        String anchor() {
            return heading()
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\d _-]", "")
                    .replace(' ', '-');
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
     * Returns what the page says about a symptom: for a code, its row of the table and the sections of the code; for
     * words, the sections with all of them in the heading, with their subsections, otherwise in the text.
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
        Set<String> parts = new LinkedHashSet<>();
        page.lines()
                .filter(line -> line.startsWith("| `IDGEN-") && line.contains("`" + code + "`"))
                .forEach(row -> {
                    String[] cells = row.split(" \\| |^\\| | \\|$");
                    parts.add(code + ": " + cells[2] + "\n\nWhat to do: " + cells[3]);
                    LINK.matcher(cells[3])
                            .results()
                            .flatMap(link -> sections.stream()
                                    .filter(each -> each.anchor().equals(link.group(1))))
                            .forEach(each -> parts.add(each.text));
                });
        sections.stream().filter(each -> each.heading().contains(code)).forEach(each -> parts.add(each.text));
        if (!parts.isEmpty()) {
            sections.stream()
                    .filter(each -> !each.heading().equals("Start here") && each.text.contains("`" + code + "`"))
                    .forEach(each -> parts.add(each.text));
        }
        return String.join("\n\n", parts);
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
