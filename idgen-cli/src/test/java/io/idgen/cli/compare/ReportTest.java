package io.idgen.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.compare.result.Conditions;
import io.idgen.cli.compare.result.Environment;
import io.idgen.cli.compare.result.Load;
import io.idgen.cli.compare.verdict.Comparison;
import io.idgen.cli.compare.verdict.Headline;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests the report's file without a browser. */
class ReportTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String HOSTILE =
            "</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> & \u2028";

    private static Comparison comparison(String text) {
        return new Comparison(
                Comparison.VERSION,
                "2026-11-21T08:00:00Z",
                1,
                new Environment(text, 2, 100, text, text, text, text, text, true, 2, text),
                new Conditions(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, text, Map.of(text, text)),
                new Load(0.0, 1, false, text),
                List.of(text),
                List.of(),
                new Headline(text, List.of(new Headline.Tile(text, text, text, text, Comparison.Chart.TRIPS))),
                List.of(new Comparison.Advice(text, text, List.of(text), Comparison.Chart.TRIPS)),
                null);
    }

    @Test
    void textThatWouldEndTheScriptStaysText() {
        String html = Report.html(comparison(HOSTILE));

        assertThat(html.split("<script", -1))
                .hasSize(Report.html(comparison("harmless")).split("<script", -1).length);
        assertThat(html).doesNotContain("alert(1)</script>", "<img src=x", "\u2028");
        JsonNode data = JSON.readTree(data(html));
        assertThat(data.path("environment").path("cpu").asString()).isEqualTo(HOSTILE);
        assertThat(data.path("advice").path(0).path("need").asString()).isEqualTo(HOSTILE);
    }

    private static String data(String html) {
        String start = "<script type=\"application/json\" id=\"data\">";
        int from = html.indexOf(start) + start.length();
        return html.substring(from, html.indexOf("</script>", from));
    }

    @Test
    void needsNothingFromTheNetwork() {
        String html = Report.html(comparison("x"));

        assertThat(Pattern.compile("(?i)(src|href|action|data|poster)\\s*=\\s*[\"']?\\s*(https?:|//)")
                        .matcher(html)
                        .results()
                        .map(MatchResult::group))
                .isEmpty();
        assertThat(html).contains("default-src 'none'").doesNotContain("@import", "<link rel=\"stylesheet\"");
        assertThat(Pattern.compile("url\\(\\s*[\"']?(https?:)?//").matcher(html).find())
                .isFalse();
    }

    @Test
    void theChartsAreDrawnByWhatWasPublished() throws IOException, NoSuchAlgorithmException {
        try (InputStream library = Report.class.getResourceAsStream("echarts/echarts.common.min.js")) {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(library.readAllBytes());

            assertThat(Report.resource("echarts/README.md"))
                    .contains(HexFormat.of().formatHex(digest));
        }
        assertThat(Report.resource("echarts/LICENSE")).contains("Apache License");
        assertThat(Report.resource("echarts/NOTICE")).contains("Apache ECharts");
    }
}
