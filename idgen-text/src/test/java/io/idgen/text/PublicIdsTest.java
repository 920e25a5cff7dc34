package io.idgen.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublicIdsTest {
    private static final IdPermutation FIRST =
            IdPermutation.over63Bits(new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
    private static final IdPermutation SECOND =
            IdPermutation.over63Bits("another key, of 32 random bytes.".getBytes(StandardCharsets.US_ASCII));

    @Test
    void showsThePermutedIdBehindTheVersionOfItsKey() {
        PublicIds ids = new PublicIds(1, Map.of(1, FIRST));
        assertThat(ids.encode(1)).isEqualTo("k1_" + IdCodec.BASE32.encode(4643374334653534358L));
        assertThat(ids.decode(ids.encode(1))).isEqualTo(1);
        assertThat(ids.decode(ids.encode(1).toLowerCase(Locale.ROOT))).isEqualTo(1);
        assertThat(ids.decode(ids.encode(1).toUpperCase(Locale.ROOT))).isEqualTo(1);
    }

    @Test
    void aKeyIsReplacedWhileBothVersionsAreRead() {
        PublicIds before = new PublicIds(1, Map.of(1, FIRST));
        PublicIds both = new PublicIds(1, Map.of(1, FIRST, 2, SECOND));
        PublicIds moved = new PublicIds(2, Map.of(1, FIRST, 2, SECOND));
        PublicIds after = new PublicIds(2, Map.of(2, SECOND));

        assertThat(both.encode(7)).isEqualTo(before.encode(7)).startsWith("k1_");
        assertThat(moved.encode(7)).isEqualTo(after.encode(7)).startsWith("k2_");
        assertThat(both.decode(moved.encode(7))).isEqualTo(7);
        assertThat(moved.decode(before.encode(7))).isEqualTo(7);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> after.decode(before.encode(7)))
                .withMessage(
                        "key version 1 is none of the given versions [2]; add its key, unless this application did not write the text");
    }

    @Test
    void readsVersionsOfSeveralDigits() {
        PublicIds ids = new PublicIds(999, Map.of(10, FIRST, 999, SECOND));
        assertThat(ids.encode(5)).startsWith("k999_").hasSize(5 + 13);
        assertThat(ids.decode(ids.encode(5))).isEqualTo(5);
        assertThat(ids.decode("k10_" + IdCodec.BASE32.encode(FIRST.permute(5)))).isEqualTo(5);
    }

    @Test
    void aNumberBeyondTheRangeOfItsKeyIsRefused() {
        PublicIds ids = new PublicIds(
                1, Map.of(1, IdPermutation.over53Bits("0123456789abcdef".getBytes(StandardCharsets.US_ASCII))));
        assertThat(ids.decode(ids.encode(9))).isEqualTo(9);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ids.decode("k1_7ZZZZZZZZZZZZ"))
                .withMessageContaining("53 bits");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "_",
                "k",
                "k1",
                "k_",
                "k_0000000000000",
                "x1_0000000000000",
                "k1000_0000000000000",
                "1_0",
                "0000000000000"
            })
    void refusesTextWithoutAKeyVersion(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PublicIds(1, Map.of(1, FIRST)).decode(text))
                .withMessage(
                        "a public id begins with the version of its key, for example k1_; characters 1 to 5 have none");
    }

    @ParameterizedTest
    @CsvSource({
        "k0_0000000000000, 2, '0'",
        "k01_0000000000000, 2, '0'",
        "k1x_0000000000000, 3, 'x'",
        "k-1_0000000000000, 2, '-'"
    })
    void refusesAVersionThatIsNoNumber(String text, int position, String shown) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PublicIds(1, Map.of(1, FIRST)).decode(text))
                .withMessageEndingWith("character " + position + " is '" + shown + "'");
    }

    @Test
    void countsCharactersFromTheBeginningOfTheWholeText() {
        PublicIds ids = new PublicIds(1, Map.of(1, FIRST));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ids.decode("k1_00000000000-0"))
                .withMessageStartingWith("character 15 is '-'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ids.decode("k1_000"))
                .withMessage("BASE32 has 13 characters after the first 3, got 3");
    }

    @Test
    void refusesVersionsThatDoNotFitTogether() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PublicIds(3, Map.of(2, SECOND, 1, FIRST)))
                .withMessage("key version 3, to write with, is none of the given versions [1, 2]; add its key");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PublicIds(0, Map.of(0, FIRST)))
                .withMessage("a key version is 1 to 999, got 0; number the keys from 1");
        assertThatIllegalArgumentException().isThrownBy(() -> new PublicIds(1000, Map.of(1000, FIRST)));
        Map<Integer, IdPermutation> hole = new HashMap<>();
        hole.put(1, null);
        assertThatNullPointerException().isThrownBy(() -> new PublicIds(1, hole));
    }

    @Test
    void laterChangesOfTheMapChangeNothing() {
        Map<Integer, IdPermutation> permutations = new HashMap<>(Map.of(1, FIRST));
        PublicIds ids = new PublicIds(1, permutations);
        permutations.put(1, SECOND);
        assertThat(ids.decode("k1_" + IdCodec.BASE32.encode(FIRST.permute(5)))).isEqualTo(5);
    }

    @Test
    void saysItsVersions() {
        assertThat(new PublicIds(2, Map.of(1, FIRST, 2, SECOND)))
                .hasToString("PublicIds writing k2_, reading versions [1, 2]");
    }

    @Test
    void aPrefixStandsBeforeTheVersionOfTheKey() {
        PublicIds ids = new PublicIds(1, Map.of(1, FIRST));
        PublicIds orders = ids.withPrefix("order");

        assertThat(orders.encode(1)).isEqualTo("order_" + ids.encode(1));
        assertThat(orders.decode(orders.encode(1))).isEqualTo(1);
        assertThat(orders.decode(orders.encode(1).toLowerCase(Locale.ROOT))).isEqualTo(1);
        assertThat(orders.decode(orders.encode(1).toUpperCase(Locale.ROOT))).isEqualTo(1);
        assertThat(orders.withPrefix("").encode(1)).isEqualTo(ids.encode(1));
        assertThat(orders).hasToString("PublicIds writing order_k1_, reading versions [1]");
    }

    @Test
    void theIdOfAnotherKindIsRefused() {
        PublicIds ids = new PublicIds(1, Map.of(1, FIRST));
        PublicIds orders = ids.withPrefix("order");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.decode(ids.withPrefix("customer").encode(1)))
                .withMessage("a public id of this kind begins with order_; character 1 is 'c'; send the id of such an"
                        + " object as it was received");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.decode("ord"))
                .withMessageContaining("begins with order_; the text ends after 3 characters");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.decode(ids.withPrefix("order_line").encode(1)))
                .withMessage("a public id has after order_ the version of its key, for example order_k1_; characters 7"
                        + " to 11 have none");
        assertThatIllegalArgumentException().isThrownBy(() -> orders.decode(ids.encode(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> ids.decode(orders.encode(1)));
    }

    @Test
    void charactersAreCountedFromTheBeginningOfThePrefix() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new PublicIds(1, Map.of(1, FIRST)).withPrefix("order").decode("order_k1_00000000000-0"))
                .withMessageStartingWith("character 21 is '-'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Order", "1st", "_order", "order_", "order line", "bestellung-ü"})
    void aPrefixHasLowerCaseLettersDigitsAndUnderscores(String prefix) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PublicIds(1, Map.of(1, FIRST)).withPrefix(prefix))
                .withMessageContaining("got '" + prefix + "'");
    }
}
