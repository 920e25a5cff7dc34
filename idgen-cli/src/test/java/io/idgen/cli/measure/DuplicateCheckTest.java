package io.idgen.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DuplicateCheckTest {

    @Test
    void findsWhatWasGivenTwiceHoweverFarApart() {
        DuplicateCheck check = new DuplicateCheck(1);
        check.add(new long[] {5, 6, 7});
        check.add(new long[] {8, 5, 5});

        DuplicateCheck.Duplicates found = check.check();

        assertThat(found.checked()).isEqualTo(6);
        assertThat(found.count()).isEqualTo(2);
        assertThat(found.examples()).containsExactly("5");
    }

    @Test
    void keysOf128BitsAreEqualInBothHalvesOrNotAtAll() {
        DuplicateCheck check = new DuplicateCheck(2);
        check.add(new long[] {1, 2, 1, 3, 2, 2, 2, 1});
        assertThat(check.check().count()).isZero();

        check.add(new long[] {1, 2, 3, 4, 1, 2});
        assertThat(check.check().examples()).containsExactly("00000000-0000-0001-0000-000000000002");
    }
}
