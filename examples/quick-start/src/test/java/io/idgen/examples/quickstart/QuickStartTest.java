package io.idgen.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class QuickStartTest {

    @Test
    void hibernateGivesTheIdBeforeAnySql() {
        assertThat(printedBy(() -> HibernateQuickStart.main(new String[0]))).containsPattern("before any SQL: \\d{18}");
    }

    @Test
    void plainJdbcHasIdsForAParentAndItsChildren() {
        assertThat(printedBy(() -> JdbcQuickStart.main(new String[0])))
                .containsPattern("order \\d{18} with lines \\d{18} to \\d{18}");
    }

    @Test
    void segmentsBeginWhereTheSettingSays() {
        assertThat(printedBy(() -> SegmentQuickStart.main(new String[0]))).contains("order 1\n");
    }

    private static String printedBy(Runnable main) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            main.run();
        } finally {
            System.setOut(before);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
