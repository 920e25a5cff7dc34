package io.idgen.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ChartTest {
    private static final String PAGE = """
            <!-- table:throughput -->

            | Snowflakes | 1 thread | 2 threads | 8 threads |
            |---|--:|--:|--:|
            | tsid-creator | 20.0 (10.0 to 25.0) | 9.0 (9.0 to 9.0) | 40.0 (30.0 to 50.0) |
            | another | 999.0 (1.0 to 999.0) | 9.0 (9.0 to 9.0) | 40.0 (30.0 to 50.0) |

            Measured on 2026-11-22 on a machine, other processes used 0.00 of 2 cores.
            <!-- /table -->
            """;

    @Test
    void barsAreAsLongAsTheFiguresAndLinesAsTheIntervals() {
        assertThat(Chart.svg(PAGE))
                .contains("width=\"160.0\"", "width=\"320.0\"") // the highest value is 50, and its bar is 400 wide
                .contains("x1=\"540.0\" x2=\"700.0\"")
                .contains("Measured on 2026-11-22 on a machine<")
                .doesNotContain("another");
    }

    @Test
    void aTableWithoutTheRowsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Chart.svg(PAGE.replace("tsid-creator", "nobody")))
                .withMessageContaining("no row of the chart");
    }

    @Test
    void theChartOfTheDocumentationShowsItsTable() throws IOException {
        String tables = Files.readString(Path.of("../docs/internals/performance-tables.md"));

        assertThat(Path.of("../docs/images/performance.svg"))
                .as("draw it again: java -jar benchmarks.jar chart")
                .hasContent(Chart.svg(tables));
    }
}
