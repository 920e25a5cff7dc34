package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
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
}
