package io.idgen.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.IdLog;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check finds ids that repeat or fall. */
class CheckTest {
    @TempDir
    Path folder;

    private IdLog file(String name, long... ids) {
        IdLog file = IdLog.open(folder.resolve(name));
        long millis = 0;
        for (long id : ids) {
            file.append(id, millis * 1_000_000);
            millis += id;
        }
        return IdLog.open(folder.resolve(name));
    }

    @Test
    void idsThatRiseInEachProcessAndDifferBetweenProcessesAreRight() {
        Check check = new Check(List.of(file("a", 1, 3, 5), file("b", 2, 4, 6), file("c")));

        assertThat(check.ids()).isEqualTo(6);
        assertThat(check.duplicates()).isZero();
        assertThat(check.falls()).isZero();
    }

    @Test
    void anIdOfTwoProcessesIsFound() {
        assertThat(new Check(List.of(file("a", 1, 3, 5), file("b", 2, 3, 5))).duplicates())
                .isEqualTo(2);
    }

    @Test
    void anIdThatIsNotAboveTheOneBeforeIsFound() {
        assertThat(new Check(List.of(file("a", 1, 3, 2, 2))).falls()).isEqualTo(2);
    }
}
