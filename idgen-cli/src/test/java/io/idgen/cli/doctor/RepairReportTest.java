package io.idgen.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RepairReportTest {
    @Test
    void aReportEscapesNamesInRows() {
        assertThat(new RepairReport.Change("idgen_segment", "x\033[2J\u202Etxt", "1", "2"))
                .hasToString("idgen_segment x\\u001B[2J\\u202Etxt: 1 -> 2");
    }
}
