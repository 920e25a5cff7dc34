package io.idgen.text;

import static io.idgen.text.SerialNumberFormat.CLASSIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.idgen.text.SerialNumberFormat.Precision;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SerialNumberFormatTest {
    private static final LocalDateTime EIGHT_O_CLOCK = LocalDateTime.of(2026, 11, 20, 8, 0, 0, 37_000_000);

    @Test
    void theClassicFormHas23Digits() {
        SerialNumber serial = new SerialNumber("101", EIGHT_O_CLOCK, 0, 42);
        assertThat(CLASSIC.format(serial))
                .isEqualTo("101" + "20261120080000037" + "042")
                .hasSize(23);
        assertThat(CLASSIC.parse("10120261120080000037042")).isEqualTo(serial);
        assertThat(CLASSIC.length()).isEqualTo(23);
        assertThat(CLASSIC.zone()).isEqualTo(ZoneOffset.UTC);
    }

    @Test
    void everyFieldHasItsPlace() {
        SerialNumberFormat format = CLASSIC.withCodeDigits(2)
                .withPrecision(Precision.SECOND)
                .withWorkerDigits(2)
                .withNumberDigits(5)
                .withCheckDigit(CheckDigit.LUHN)
                .withZone(ZoneId.of("Asia/Shanghai"));
        SerialNumber serial = new SerialNumber("07", EIGHT_O_CLOCK.withNano(0), 9, 123);
        String text = format.format(serial);
        assertThat(text).startsWith("07" + "20261120080000" + "09" + "00123").hasSize(24);
        assertThat(format.parse(text)).isEqualTo(serial);
        assertThat(format.zone()).isEqualTo(ZoneId.of("Asia/Shanghai"));
    }

    @Test
    void whatIsFinerThanThePrecisionIsLeftOut() {
        SerialNumber serial = new SerialNumber("101", EIGHT_O_CLOCK.plusNanos(999_999), 0, 1);
        assertThat(CLASSIC.format(serial)).isEqualTo("10120261120080000037001");
        SerialNumberFormat byDay = CLASSIC.withPrecision(Precision.DAY);
        assertThat(byDay.format(serial)).isEqualTo("10120261120001");
        assertThat(byDay.parse("10120261120001"))
                .isEqualTo(new SerialNumber("101", LocalDateTime.of(2026, 11, 20, 0, 0), 0, 1));
    }

    @ParameterizedTest
    @EnumSource
    void readsBackWhatItWrites(CheckDigit checkDigit) {
        Random random = new Random(23);
        for (Precision precision : Precision.values()) {
            SerialNumberFormat format = CLASSIC.withPrecision(precision)
                    .withWorkerDigits(9)
                    .withNumberDigits(19)
                    .withCheckDigit(checkDigit);
            for (int i = 0; i < 2_000; i++) {
                SerialNumber serial = new SerialNumber(
                        String.format("%03d", random.nextInt(1_000)),
                        LocalDateTime.of(2000, 1, 1, 0, 0).plusDays(random.nextInt(1_000_000)),
                        random.nextInt(1_000_000_000),
                        random.nextLong() >>> 1);
                String text = format.format(serial);
                assertThat(text).hasSize(format.length());
                assertThat(format.parse(text)).isEqualTo(serial);
            }
        }
    }

    @Test
    void theWidestNumberHoldsTheLargestId() {
        SerialNumberFormat format = CLASSIC.withCodeDigits(0).withNumberDigits(19);
        String text = format.format(new SerialNumber("", EIGHT_O_CLOCK, 0, Long.MAX_VALUE));
        assertThat(text).isEqualTo("20261120080000037" + "9223372036854775807");
        assertThat(format.parse(text).number()).isEqualTo(Long.MAX_VALUE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> format.parse("20261120080000037" + "9223372036854775808"))
                .withMessage("the number, characters 18 to 36, is above 9223372036854775807, the largest id");
    }

    @Test
    void refusesWhatDoesNotFitInsteadOfShorteningIt() {
        assertThat(CLASSIC.format(new SerialNumber("101", EIGHT_O_CLOCK, 0, 999)))
                .endsWith("999");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CLASSIC.format(new SerialNumber("101", EIGHT_O_CLOCK, 0, 1000)))
                .withMessage("number 1000 does not fit in 3 digits (0..999); widen the field to 4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CLASSIC.format(new SerialNumber("101", EIGHT_O_CLOCK, 1, 1)))
                .withMessage("worker 1 does not fit in a format without that field; widen the field to 1");
        SerialNumberFormat twoWorkerDigits = CLASSIC.withWorkerDigits(2);
        assertThat(twoWorkerDigits.format(new SerialNumber("101", EIGHT_O_CLOCK, 99, 1)))
                .endsWith("99001");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> twoWorkerDigits.format(new SerialNumber("101", EIGHT_O_CLOCK, 100, 1)))
                .withMessage("worker 100 does not fit in 2 digits (0..99); widen the field to 3");
    }

    @Test
    void refusesYearsThatFourDigitsCannotShow() {
        assertThat(CLASSIC.format(new SerialNumber("101", EIGHT_O_CLOCK.withYear(9999), 0, 1)))
                .startsWith("1019999");
        for (int year : new int[] {-1, 10_000}) {
            SerialNumber serial = new SerialNumber("101", EIGHT_O_CLOCK.withYear(year), 0, 1);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CLASSIC.format(serial))
                    .withMessage("a serial has a year of 4 digits, got " + year + "; check the clock");
        }
    }

    @Test
    void refusesBusinessCodesOfAnotherShape() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CLASSIC.format(new SerialNumber("7", EIGHT_O_CLOCK, 0, 1)))
                .withMessage("the business code has 3 digits in this format, got 1; fill it with leading zeros,"
                        + " or use withCodeDigits(1)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CLASSIC.format(new SerialNumber("1O1", EIGHT_O_CLOCK, 0, 1)))
                .withMessage("a business code consists of digits, but character 2 is 'O'");
    }

    @Test
    void refusesWidthsThatCannotBe() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CLASSIC.withNumberDigits(0))
                .withMessage("number must be 1 to 19 digits wide, got 0");
        assertThatIllegalArgumentException().isThrownBy(() -> CLASSIC.withNumberDigits(20));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CLASSIC.withWorkerDigits(10))
                .withMessage("worker must be 0 to 9 digits wide, got 10");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CLASSIC.withCodeDigits(-1))
                .withMessage("business code must be 0 to 18 digits wide, got -1");
    }

    @Test
    void refusesTextOfAnotherLength() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CLASSIC.parse("1012026112008000003704"))
                .withMessage("a serial of this format has 23 digits (3 business code, 17 date-time, 0 worker, 3 number,"
                        + " 0 check digit), got 22 characters");
    }

    @ParameterizedTest
    @CsvSource({
        "1x1202611200800000370070429, 2, business code",
        "101202x11200800000370070429, 7, date-time",
        "101202611200800000370x70429, 22, worker",
        "1012026112008000003700704x9, 26, number",
        "10120261120080000037007042x, 27, check digit"
    })
    void namesTheFieldOfAWrongCharacter(String text, int position, String field) {
        SerialNumberFormat format = CLASSIC.withWorkerDigits(3).withCheckDigit(CheckDigit.LUHN);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> format.parse(text))
                .withMessage("character " + position + ", in the " + field + ", is 'x'; a serial consists of digits");
    }

    @Test
    void refusesDigitsOfOtherScripts() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CLASSIC.parse("1012026112008000003704\u0661"))
                .withMessageStartingWith("character 23, in the number, is U+0661");
    }

    @ParameterizedTest
    @CsvSource({"20261320080000037", "20260229080000037", "20261120240000037", "20261120086000037", "20261120080060037"
    })
    void refusesDatesAndTimesThatDoNotExist(String dateTime) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CLASSIC.parse("101" + dateTime + "042"))
                .withMessage("the date-time, characters 4 to 20, is " + dateTime + ", which is not a date and time");
    }

    @ParameterizedTest
    @CsvSource({"LUHN, 6", "ISO_7064_MOD_11_10, 1"})
    void verifiesTheCheckDigitAndSaysWhatItShouldBe(CheckDigit checkDigit, char right) {
        SerialNumberFormat format = CLASSIC.withCheckDigit(checkDigit);
        String serial = "10120261120080000037042";
        assertThat(format.format(new SerialNumber("101", EIGHT_O_CLOCK, 0, 42))).isEqualTo(serial + right);
        for (char wrong = '0'; wrong <= '9'; wrong++) {
            String text = serial + wrong;
            if (wrong == right) {
                assertThat(format.parse(text).number()).isEqualTo(42);
            } else {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> format.parse(text))
                        .withMessage("the " + checkDigit + " check digit, character 24, is " + text.charAt(23)
                                + ", but the digits before it require " + right
                                + "; a digit is wrong or two are swapped, compare with the original");
            }
        }
    }

    @Test
    void partsAreNeverNegative() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SerialNumber("101", EIGHT_O_CLOCK, 0, -1))
                .withMessage("parts of a serial are never negative, got worker 0, number -1");
        assertThatIllegalArgumentException().isThrownBy(() -> new SerialNumber("101", EIGHT_O_CLOCK, -1, 0));
    }
}
