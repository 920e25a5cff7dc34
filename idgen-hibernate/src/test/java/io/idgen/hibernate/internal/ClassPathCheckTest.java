package io.idgen.hibernate.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassPathCheckTest {
    @ParameterizedTest
    @CsvSource({
        "tools.jackson.databind.ObjectMapper, io.idgen.jackson.IdgenModule, idgen-jackson",
        "com.fasterxml.jackson.databind.ObjectMapper, io.idgen.jackson2.IdgenModule, idgen-jackson2",
        "org.springframework.boot.SpringApplication, io.idgen.spring.boot.IdgenAutoConfiguration, idgen-spring-boot-starter"
    })
    void aLibraryWithoutItsModuleIsNamedWithTheDependency(String library, String module, String artifact) {
        assertThat(ClassPathCheck.warnings(Set.of(library)::contains))
                .singleElement()
                .asString()
                .startsWith(library)
                .endsWith("add the dependency io.idgen:" + artifact);
        assertThat(ClassPathCheck.warnings(Set.of(library, module)::contains)).isEmpty();
        assertThat(ClassPathCheck.warnings(Set.of()::contains)).isEmpty();
    }

    @Test
    void classesAreFoundByTheirResource() {
        assertThat(ClassPathCheck.isPresent(ClassPathCheck.class.getName())).isTrue();
        assertThat(ClassPathCheck.isPresent("no.such.Type")).isFalse();
    }
}
