package io.idgen.cli.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DuplicateCheckTest {

    @Test
    void findsWhatWasGivenTwiceHoweverFarApart() {
        DuplicateCheck ledger = new DuplicateCheck(1);
        ledger.add(new long[] {5, 6, 7});
        ledger.add(new long[] {8, 5, 5});

        DuplicateCheck.Duplicates found = ledger.check();

        assertThat(found.checked()).isEqualTo(6);
        assertThat(found.count()).isEqualTo(2);
        assertThat(found.examples()).containsExactly("5");
    }

    @Test
    void keysOf128BitsAreEqualInBothHalvesOrNotAtAll() {
        DuplicateCheck ledger = new DuplicateCheck(2);
        ledger.add(new long[] {1, 2, 1, 3, 2, 2, 2, 1});
        assertThat(ledger.check().count()).isZero();

        ledger.add(new long[] {1, 2, 3, 4, 1, 2});
        assertThat(ledger.check().examples()).containsExactly("00000000-0000-0001-0000-000000000002");
    }
}
