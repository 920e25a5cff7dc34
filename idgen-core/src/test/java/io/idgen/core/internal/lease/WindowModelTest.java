package io.idgen.core.internal.lease;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A window that is longer than all before repeats no tick after a takeover. Its record has to be as old as the lag. */
class WindowModelTest {

    private static ModelVerdict verdict(String variant, boolean safe, int count) {
        var traits = ModelVerdict.traits(variant, WindowModel.Trait.class);
        String size = "%d ticks, 2 processes, %d acquisitions".formatted(WindowModel.TICKS, WindowModel.ACQUISITIONS);
        return new ModelVerdict(variant, size, safe, count, () -> ModelSearch.search(new WindowModel(traits)));
    }

    static final List<ModelVerdict> VERDICTS = List.of(
            verdict("window", true, 24_542), verdict("window+at-once", false, 5), verdict("window+early", false, 8));

    static Stream<ModelVerdict> all() {
        return VERDICTS.stream();
    }

    @ParameterizedTest
    @MethodSource("all")
    void noTickIsGrantedTwiceOrTheShortestWayToThatIsFound(ModelVerdict verdict) {
        verdict.assertHolds();
    }
}
