package io.idgen.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SerialNumberFormatTest {
    private static final LocalDateTime NOW = LocalDateTime.of(2026, 11, 28, 13, 5, 9, 7_000_000);

    private static SerialNumber number(long number) {
        return new SerialNumber(NOW, "acme", number);
    }

    @ParameterizedTest
    @CsvSource({
        "INV-{date:yyyyMMdd}-{number:6}, INV-20261128-000042",
        "INV-{date:yyyyMMdd}-{number:6}{check}, INV-20261128-0000423",
        "INV-{date:yyyyMMdd}-{number:6}{check:iso7064}, INV-20261128-0000420",
        "{tenant}/{date:yy}/{number:3}, acme/26/042",
        "042{date:yyyyMMddHHmmssSSS}{number:3}, 04220261128130509007042",
        "{number:2}, 42"
    })
    void aNumberIsWrittenByItsFormatAndReadBack(String format, String text) {
        SerialNumberFormat parsed = SerialNumberFormat.of(format);

        assertThat(parsed.format(number(42))).isEqualTo(text);
        SerialNumber read = parsed.parse(text);
        assertThat(read.number()).isEqualTo(42);
        assertThat(parsed.format(new SerialNumber(read.dateTime(), read.tenant(), read.number())))
                .isEqualTo(text);
        assertThat(parsed).hasToString(format);
    }

    @Test
    void fieldsThatADateLacksHaveTheirSmallestValue() {
        assertThat(SerialNumberFormat.of("{date:yyyyMM}{number:1}").parse("2026117"))
                .isEqualTo(new SerialNumber(LocalDateTime.of(2026, 11, 1, 0, 0), null, 7));
    }

    @Test
    void aNumberThatDoesNotFitIsRefusedAndNotCut() {
        SerialNumberFormat format = SerialNumberFormat.of("{number:3}");

        assertThat(format.largestNumber()).isEqualTo(999);
        assertThat(format.format(number(999))).isEqualTo("999");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> format.format(number(1000)))
                .withMessageContaining("number 1000 of 2026-11-28");
        SerialNumber late = new SerialNumber(LocalDateTime.of(10_000, 1, 1, 0, 0), null, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SerialNumberFormat.of("{date:yyyy}{number:3}").format(late))
                .withMessageContaining("does not fit");
        assertThat(SerialNumberFormat.of("{number:18}").largestNumber()).isEqualTo(999_999_999_999_999_999L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "INV",
                "{number}",
                "{number:0}",
                "{number:19}",
                "{number:6}{number:6}",
                "{date:yyyyMMdd}",
                "{date}{number:6}",
                "{date:M}{number:6}",
                "{date:banana}{number:6}",
                "{date:yyyyMMM}{number:6}", // names of months repeat in a year, if they are short
                "{date:yyyyMM'd'}{number:6}", // has no day
                "{date:YYYYMMdd}{number:6}", // the year of the week
                "{date:MMdd}{number:6}",
                "{date:yyyy}{date:yyyy}{number:6}",
                "{tenant}{tenant}{number:6}",
                "{check}{number:6}",
                "{number:6}{check:md5}",
                "{id:6}{number:6}",
                "{number:6",
                "number:6}"
            })
    void anImpossibleFormatIsRefusedWithTheReason(String format) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SerialNumberFormat.of(format))
                .withMessageStartingWith("the format '" + format + "' cannot be used: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INV-20261128-0000421", // check digit
                "INV-20261128-0000240", // two digits swapped
                "INV-20261328-0000428", // month 13
                "INV-20261128-000042",
                "inv-20261128-0000423",
                "INV-20261128-00004200",
                "INV-20261128-٠000420"
            })
    void aTextThatIsNoNumberOfTheFormatIsRefused(String text) {
        SerialNumberFormat format = SerialNumberFormat.of("INV-{date:yyyyMMdd}-{number:6}{check}");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> format.parse(text))
                .withMessageContaining("compare it with the original");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a/b", "Müller", "12345678901234567890123456789012345678901"})
    void aTenantWithOtherCharactersIsRefused(String tenant) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SerialNumberFormat.checkTenant(tenant))
                .withMessageContaining("1 to 40 letters, digits, hyphens and underscores");
    }

    @Test
    void theDateTellsWhichPeriodsItSeparates() {
        SerialNumberFormat monthly = SerialNumberFormat.of("{date:yyMM}{number:4}");

        assertThat(monthly.hasDate("y")).isTrue();
        assertThat(monthly.hasDate("yM")).isTrue();
        assertThat(monthly.hasDate("yMd")).isFalse();
        assertThat(SerialNumberFormat.of("{number:4}").hasDate("")).isTrue();
    }
}
