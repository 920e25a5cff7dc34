package io.idgen.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is measured generates ids: speed with repeated ids would be worthless. */
class PeerTest {
    private static final int IDS = 5_000; // more than a millisecond of the default layout has

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CLOCK")
    void idsOfAllCallsDiffer(Peer contender) {
        Ids ids = contender.open();
        long[] filled = new long[IDS];
        ids.fill(filled);
        Set<Long> all = new HashSet<>();
        Arrays.stream(filled).forEach(all::add);
        Arrays.stream(ids.nextIds(IDS)).forEach(all::add);
        for (int i = 0; i < IDS; i++) {
            all.add(ids.nextId());
        }

        assertThat(all).hasSize(3 * IDS);
    }
}
