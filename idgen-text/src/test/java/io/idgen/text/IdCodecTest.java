package io.idgen.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.hypersistence.tsid.TSID;
import java.util.Locale;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class IdCodecTest {
    private static final long[] EDGES = {
        0,
        1,
        9,
        10,
        31,
        32,
        36,
        37,
        61,
        62,
        (1L << 53) - 1,
        1L << 53,
        225912364091068416L,
        Long.MAX_VALUE - 1,
        Long.MAX_VALUE
    };

    private static LongStream edgesAndRandom() {
        Random random = new Random(20261120);
        LongStream someOfEachWidth = LongStream.range(0, 20_000).map(i -> random.nextLong() >>> (1 + (int) (i % 63)));
        return LongStream.concat(LongStream.of(EDGES), someOfEachWidth);
    }

    @ParameterizedTest
    @EnumSource
    void readsBackWhatItWrites(IdCodec codec) {
        edgesAndRandom()
                .forEach(id -> assertThat(codec.decode(codec.encode(id))).isEqualTo(id));
    }

    @ParameterizedTest
    @EnumSource
    void neverWritesMoreThanItsWidth(IdCodec codec) {
        assertThat(codec.encode(Long.MAX_VALUE)).hasSize(codec.maxLength());
        edgesAndRandom().forEach(id -> assertThat(codec.encode(id)).hasSizeLessThanOrEqualTo(codec.maxLength()));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DECIMAL")
    void textOfOneWidthSortsLikeTheNumber(IdCodec codec) {
        long[] sorted = edgesAndRandom().sorted().distinct().toArray();
        for (int i = 1; i < sorted.length; i++) {
            assertThat(codec.encode(sorted[i])).hasSize(codec.maxLength()).isGreaterThan(codec.encode(sorted[i - 1]));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "DECIMAL,        225912364091068416,  225912364091068416",
        "DECIMAL,        9223372036854775807, 9223372036854775807",
        "HEX,            225912364091068416,  03229A1924045000",
        "HEX,            9223372036854775807, 7FFFFFFFFFFFFFFF",
        "BASE32,         1234,                000000000016J",
        "BASE32,         9223372036854775807, 7ZZZZZZZZZZZZ",
        "BASE32_CHECKED, 1234,                000000000016JD",
        "BASE32_CHECKED, 36,                  0000000000014U",
        "BASE62,         61,                  0000000000z",
        "BASE62,         62,                  00000000010",
        "BASE62,         9223372036854775807, AzL8n0Y58m7"
    })
    void writesWhatIsKnown(IdCodec codec, long id, String text) {
        assertThat(codec.encode(id)).isEqualTo(text);
        assertThat(codec.decode(text)).isEqualTo(id);
    }

    @Test
    void base32IsTheTextOfTsidLibraries() {
        edgesAndRandom().forEach(id -> {
            String text = IdCodec.BASE32.encode(id);
            assertThat(text).isEqualTo(TSID.from(id).toString());
            assertThat(IdCodec.BASE32.decode(text)).isEqualTo(TSID.from(text).toLong());
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"BASE32", "BASE32_CHECKED"})
    void base32ReadsLowerCaseAndWhatLooksAlike(IdCodec codec) {
        edgesAndRandom().forEach(id -> {
            String text = codec.encode(id);
            assertThat(codec.decode(text.toLowerCase(Locale.ROOT))).isEqualTo(id);
            assertThat(codec.decode(text.replace('0', 'O').replace('1', 'I'))).isEqualTo(id);
            assertThat(codec.decode(text.replace('0', 'o').replace('1', 'l'))).isEqualTo(id);
            assertThat(codec.decode(text.replace('1', 'i'))).isEqualTo(id);
            assertThat(codec.decode(text.replace('1', 'L'))).isEqualTo(id);
        });
    }

    @Test
    void hexReadsBothCasesAndBase62TellsThemApart() {
        assertThat(IdCodec.HEX.decode("03229a1924045000")).isEqualTo(0x03229A1924045000L);
        assertThat(IdCodec.BASE62.decode("0000000000a")).isEqualTo(36);
        assertThat(IdCodec.BASE62.decode("0000000000A")).isEqualTo(10);
    }

    @Test
    void decimalReadsLeadingZeros() {
        assertThat(IdCodec.DECIMAL.decode("007")).isEqualTo(7);
    }

    @Test
    void theCheckCharacterCatchesEveryWrongCharacterAndEverySwapOfNeighbours() {
        String symbols = "0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U";
        new Random(37).longs(300, 0, Long.MAX_VALUE).forEach(id -> {
            String text = IdCodec.BASE32_CHECKED.encode(id);
            for (int i = 0; i < text.length(); i++) {
                for (char wrong : symbols.toCharArray()) {
                    if (wrong != text.charAt(i)) {
                        assertRefused(text.substring(0, i) + wrong + text.substring(i + 1));
                    }
                }
                if (i > 0 && text.charAt(i) != text.charAt(i - 1)) {
                    assertRefused(
                            text.substring(0, i - 1) + text.charAt(i) + text.charAt(i - 1) + text.substring(i + 1));
                }
            }
        });
    }

    private static void assertRefused(String text) {
        assertThatIllegalArgumentException().as(text).isThrownBy(() -> IdCodec.BASE32_CHECKED.decode(text));
    }

    /** The values 32 to 36 of Crockford's table. */
    @ParameterizedTest
    @CsvSource({"32, *", "33, ~", "34, $", "35, =", "36, U", "37, 0"})
    void theCheckCharacterHasFiveSymbolsOfItsOwn(long id, String symbol) {
        assertThat(IdCodec.BASE32_CHECKED.encode(id)).isEqualTo(IdCodec.BASE32.encode(id) + symbol);
    }

    @Test
    void saysWhichCheckCharacterWasExpected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdCodec.BASE32_CHECKED.decode("000000000016JE"))
                .withMessage("check character 14 is 'E', but the characters before it require 'D';"
                        + " a character is wrong, compare with the original");
        assertThat(IdCodec.BASE32_CHECKED.decode("0000000000014u")).isEqualTo(36);
    }

    @ParameterizedTest
    @EnumSource
    void refusesNegativeIds(IdCodec codec) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.encode(-1))
                .withMessage("an id is 0 to 9223372036854775807, got -1");
        assertThatIllegalArgumentException().isThrownBy(() -> codec.encode(Long.MIN_VALUE));
    }

    @ParameterizedTest
    @CsvSource({
        "DECIMAL,        9223372036854775808",
        "DECIMAL,        9999999999999999999",
        "HEX,            8000000000000000",
        "HEX,            FFFFFFFFFFFFFFFF",
        "BASE32,         8000000000000",
        "BASE32,         ZZZZZZZZZZZZZ",
        "BASE32_CHECKED, 80000000000000",
        "BASE62,         AzL8n0Y58m8",
        "BASE62,         zzzzzzzzzzz"
    })
    void refusesNumbersAboveTheLargestId(IdCodec codec, String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.decode(text))
                .withMessage("the number is too large for an id: the largest text of " + codec + " is "
                        + codec.encode(Long.MAX_VALUE) + ", which is 9223372036854775807");
    }

    @ParameterizedTest
    @EnumSource
    void refusesTextOfAnotherLength(IdCodec codec) {
        String text = codec.encode(Long.MAX_VALUE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.decode(text + "0"))
                .withMessageContaining(codec.maxLength() + " characters, got " + (codec.maxLength() + 1));
        assertThatIllegalArgumentException().isThrownBy(() -> codec.decode("")).withMessageEndingWith("got 0");
        if (codec != IdCodec.DECIMAL) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> codec.decode(text.substring(1)))
                    .withMessage(codec + " has " + codec.maxLength() + " characters, got " + (codec.maxLength() - 1));
        }
    }

    @Test
    void saysWhichCharacterItDoesNotKnow() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdCodec.BASE32.decode("000000000U000"))
                .withMessage("character 10 is 'U'; BASE32 accepts 0 to 9 and A to Z without U, upper or lower case"
                        + " (O is read as 0, I and L as 1)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdCodec.DECIMAL.decode("-1"))
                .withMessage("character 1 is '-'; DECIMAL accepts 0 to 9");
    }

    @ParameterizedTest
    @EnumSource
    void refusesLettersOfOtherScriptsThatLookOrFoldLikeItsOwn(IdCodec codec) {
        String text = codec.encode(0);
        for (char c : new char[] {'\u0131', '\u017F', '\u212A', '\u0660', '\uFF10', '\n', '*'}) {
            String changed = c + text.substring(1);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> codec.decode(changed))
                    .withMessageStartingWith("character 1 is " + (c == '*' ? "'*'" : String.format("U+%04X", (int) c)));
        }
    }
}
