package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.SimpleMetadataReaderFactory;

/** Tests that Spring Boot finds each auto-configuration: one that is not listed does nothing, without an error. */
class AutoConfigurationImportsTest {

    /** Reads class files, because the class path of one version does not have the types of all of them. */
    private static List<String> autoConfigurations() throws IOException {
        List<String> found = new ArrayList<>();
        for (Resource file : new PathMatchingResourcePatternResolver().getResources("classpath*:io/idgen/**/*.class")) {
            AnnotationMetadata metadata =
                    new SimpleMetadataReaderFactory().getMetadataReader(file).getAnnotationMetadata();
            if (metadata.hasAnnotation(AutoConfiguration.class.getName())) {
                found.add(metadata.getClassName());
            }
        }
        return found;
    }

    @Test
    void springBootFindsEachAutoConfiguration() throws IOException {
        assertThat(ImportCandidates.load(AutoConfiguration.class, null).getCandidates())
                .filteredOn(name -> name.startsWith("io.idgen."))
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(autoConfigurations());
    }

    /** The slices of tests have other names in Spring Boot 3.5 and 4, and the same imports. */
    @ParameterizedTest
    @CsvSource({
        "test.autoconfigure.jdbc.AutoConfigureJdbc, jdbc.test.autoconfigure.AutoConfigureJdbc",
        "test.autoconfigure.orm.jpa.AutoConfigureDataJpa, data.jpa.test.autoconfigure.AutoConfigureDataJpa",
        "test.autoconfigure.data.jdbc.AutoConfigureDataJdbc, data.jdbc.test.autoconfigure.AutoConfigureDataJdbc"
    })
    void aSliceImportsTheSameInBothVersions(String three, String four) throws IOException {
        assertThat(imports(three)).isEqualTo(imports(four)).contains(IdgenAutoConfiguration.class.getName());
    }

    private static String imports(String slice) throws IOException {
        return new ClassPathResource("META-INF/spring/org.springframework.boot." + slice + ".imports")
                .getContentAsString(StandardCharsets.UTF_8);
    }
}
