package io.idgen.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.cli.compare.result.Comparison;
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

/** Tests the page without a browser. */
class ReportPageTest {
    private static final String HOSTILE =
            "</script><script>alert(1)</script><!-- <img src=x onerror=alert(2)> & \u2028";

    private static String html(String text) {
        return ReportPage.html(new Comparison(
                text,
                Map.of(text, text),
                List.of(new Comparison.Answer(text, text, List.of(text), text)),
                List.of(text),
                List.of()));
    }

    @Test
    void textThatWouldEndTheScriptStaysText() {
        assertThat(html(HOSTILE).split("<script", -1))
                .hasSameSizeAs(html("harmless").split("<script", -1));
        assertThat(html(HOSTILE)).doesNotContain("alert(1)</script>", "<img src=x", "\u2028");
    }

    @Test
    void needsNothingFromTheNetwork() {
        assertThat(Pattern.compile("(?i)(src|href|action|data|poster)\\s*=\\s*[\"']?\\s*(https?:|//)")
                        .matcher(html("x"))
                        .results()
                        .map(MatchResult::group))
                .isEmpty();
        assertThat(html("x")).contains("default-src 'none'").doesNotContain("@import", "<link rel=\"stylesheet\"");
    }

    @Test
    void theChartsAreDrawnByWhatWasPublished() throws IOException, NoSuchAlgorithmException {
        try (InputStream library = ReportPage.class.getResourceAsStream("echarts/echarts.common.min.js")) {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(library.readAllBytes());

            assertThat(ReportPage.resource("echarts/README.md"))
                    .contains(HexFormat.of().formatHex(digest));
        }
        assertThat(ReportPage.resource("echarts/LICENSE")).contains("Apache License");
        assertThat(ReportPage.resource("echarts/NOTICE")).contains("Apache ECharts");
    }
}
