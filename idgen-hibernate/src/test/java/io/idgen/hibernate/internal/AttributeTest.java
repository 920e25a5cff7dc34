package io.idgen.hibernate.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttributeTest {
    /** Members of an entity, as Hibernate finds them. */
    @SuppressWarnings("unused") // read by reflection
    private static final class Members {
        private long id;
        private long getter;

        long getCode() {
            return 1;
        }

        long get() {
            return 2;
        }

        long number() {
            return 3;
        }
    }

    @ParameterizedTest
    @CsvSource({"id, id", "getter, getter"})
    void aFieldHasTheNameOfItsAttribute(String field, String attribute) throws Exception {
        assertThat(Attribute.propertyName(Members.class.getDeclaredField(field)))
                .isEqualTo(attribute);
    }

    @ParameterizedTest
    @CsvSource({"getCode, code", "get, get", "number, number"})
    void aGetterIsNamedWithoutGet(String getter, String attribute) throws Exception {
        assertThat(Attribute.propertyName(Members.class.getDeclaredMethod(getter)))
                .isEqualTo(attribute);
    }
}
