package io.idgen.cli.compare;

import io.idgen.cli.compare.result.Comparison;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the comparison as one self-contained HTML file. The page is a resource with four placeholders: style, charting
 * library, script, and data. The data is JSON in an element that browsers do not execute. The script inserts the data
 * only as text.
 */
final class ReportPage {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Pattern PLACE = Pattern.compile("/\\*\\{([a-z.]+)}\\*/");

    private ReportPage() {}

    /** Writes the page, and a file with the same name that ends in {@code .json}. Overwrites existing files. */
    static void write(Comparison comparison, Path page) throws IOException {
        Files.writeString(page, html(comparison));
        String json = String.valueOf(page.getFileName()).replaceFirst("(\\.html?)?$", ".json");
        Files.writeString(page.resolveSibling(json), JSON.writeValueAsString(comparison));
    }

    static String html(Comparison comparison) {
        Map<String, String> places = Map.of(
                "report.css", resource("report.css"),
                "echarts.js", resource("echarts/echarts.common.min.js"),
                "report.js", resource("report.js"),
                "data", embedded(comparison));
        return PLACE.matcher(resource("report.html"))
                .replaceAll(place -> Matcher.quoteReplacement(Objects.requireNonNull(places.get(place.group(1)))));
    }

    /**
     * Escapes JSON for HTML: characters that could end the element, and line separators that are valid only in JSON.
     */
    private static String embedded(Comparison comparison) {
        return JSON.writeValueAsString(comparison)
                .replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }

    static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(ReportPage.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }
}
