package io.idgen.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.test.CountingIds;
import io.idgen.text.IdPermutation;
import io.idgen.text.PublicIds;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuickStartTest {

    @Test
    void hibernateGivesTheIdBeforeAnySql() {
        assertThat(printedBy(() -> HibernateQuickStart.main(new String[0]))).containsPattern("before any SQL: \\d{18}");
    }

    @Test
    void aWorkerIdThatIsChosenIsLeased() {
        assertThat(printedBy(() -> FixedWorkerId.main(new String[0]))).contains("worker id 2\n");
    }

    @Test
    void anIdInMemoryIsThereAtOnce() {
        assertThat(new WithoutBlocking(new CountingIds(41)).insert())
                .isCompletedWithValue("INSERT INTO orders (id) VALUES (41)");
    }

    @Test
    void anIdIsTakenApartWrittenHiddenAndFoundByItsDay() {
        assertThat(printedBy(() -> IdsForPeople.main(new String[0])))
                .contains("2026-11-21 00:22:30.244, #0, @(0,0)")
                .contains("sequence, 12 bits: 0")
                .containsPattern("(?m)^0AKJ[0-9A-Z]{9}$")
                .containsPattern("(?m)^k1_[0-9A-Z]{13}$")
                .contains("SELECT * FROM orders WHERE id >= 381956810342400000 AND id < 382319198208000000");
    }

    @Test
    void aTextOfTheOldKeyIsReadUntilTheOldKeyIsRemoved() {
        byte[] oldKey = "a secret of 16 b".getBytes(StandardCharsets.UTF_8);
        byte[] newKey = "another secret .".getBytes(StandardCharsets.UTF_8);
        String old = IdsForPeople.hidden(382324861541810176L, oldKey);
        PublicIds onlyNew = new PublicIds(2, Map.of(2, IdPermutation.over63Bits(newKey)));

        String written = IdsForPeople.hiddenByTheNewKey(old, oldKey, newKey);

        assertThat(written).startsWith("k2_");
        assertThat(onlyNew.decode(written)).isEqualTo(382324861541810176L);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> onlyNew.decode(old))
                .withMessageContaining("key version 1 is none of the given versions");
    }

    @Test
    void anIdOfAnOldRowHasItsTimeAndTheReservedWorkerId() {
        Instant created = Instant.parse("2025-03-01T12:00:00Z");

        assertThat(SnowflakeLayout.IDGEN.parse(IdsForPeople.ofAnOldRow(created, 7)))
                .isEqualTo(new SnowflakeParts(created, 0, 30, 7));
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
