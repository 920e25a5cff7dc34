package io.idgen.jdbc.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlNameTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    orders                     | 1
                    _orders$2                  | 1
                    O                          | 1
                    shop.orders                | 2
                    shop.orders.id             | 3
                    db.shop.orders.id          | 4
                    "Order Items"              | 1
                    "order"."select"           | 2
                    shop."a.b".id              | 3
                    "größe"                    | 1
                    `order items`.id           | 2
                    [order items].[id]         | 2
                    "it's -- /* fine */ here?" | 1
                    """)
    void namesAreReadInTheirParts(String text, int parts) {
        SqlName name = SqlName.parse(text, 1, 4);

        assertThat(name.parts()).hasSize(parts);
        assertThat(name).hasToString(text);
        assertThat(SqlName.parse("  " + text + "\t", parts, parts)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ".",
                "a.",
                ".a",
                "a..b",
                "a b",
                "a .b",
                "1a",
                "a-b",
                "a;b",
                "x; drop table y",
                "a--",
                "a/**/b",
                "a'b",
                "'a'",
                "a(b)",
                "(a)",
                "a,b",
                "a=b",
                "a\nb",
                "größe",
                "\u0430", // a Cyrillic letter that looks like an a
                "a\u0000",
                "\"a",
                "a\"",
                "\"\"",
                "\"a\"\"b\"",
                "\"a\"b\"",
                "\"a\" \"b\"",
                "\"a;b\"",
                "\"a`b\"",
                "\"a]b\"",
                "`a\"b`",
                "``",
                "[]",
                "[a[b]",
                "[a\"b]",
                "\"a]",
                "a.b.c.d.e"
            })
    void whatIsNoNameIsRefusedWithItsText(String text) {
        assertThat(assertThrows(IllegalArgumentException.class, () -> SqlName.parse(text, 1, 4)))
                .hasMessageContaining("1 to 4 identifiers joined by dots")
                .hasMessageEndingWith("got '" + text + "'");
    }

    @ParameterizedTest
    @CsvSource({"a, 2, 4", "a.b, 1, 1", "a.b.c.d, 1, 3"})
    void tooFewAndTooManyPartsAreRefused(String text, int least, int most) {
        assertThat(assertThrows(IllegalArgumentException.class, () -> SqlName.parse(text, least, most)))
                .hasMessageContaining(least + " to " + most);
    }

    @Test
    void aPartHas128CharactersAtMost() {
        String longest = "x".repeat(128);

        assertThat(SqlName.parse(longest, 1, 1)).hasToString(longest);
        assertThat(SqlName.parse('"' + longest + '"', 1, 1)).hasToString('"' + longest + '"');
        assertThrows(IllegalArgumentException.class, () -> SqlName.parse(longest + "x", 1, 1));
        assertThrows(IllegalArgumentException.class, () -> SqlName.parse('"' + longest + "x\"", 1, 1));
    }

    @Test
    void aVeryLongTextIsRefusedLikeAnyOther() {
        assertThrows(IllegalArgumentException.class, () -> SqlName.parse("a" + ".a".repeat(100_000), 1, 4));
    }

    @Test
    void aColumnKnowsItsTable() {
        SqlName column = SqlName.parse("shop.\"Order Items\".id", 2, 4);

        assertThat(column.column()).isEqualTo("id");
        assertThat(column.table()).hasToString("shop.\"Order Items\"");
    }

    @Test
    void itKeepsItsPartsWhateverBecomesOfTheList() {
        List<String> parts = new ArrayList<>(List.of("shop", "orders"));
        SqlName name = new SqlName(parts);
        parts.add("id; DROP TABLE orders");

        assertThat(name).hasToString("shop.orders");
    }
}
