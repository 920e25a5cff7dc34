package io.idgen.spring.boot.catalog;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application with three entities, whose ids are of one generator. */
@SpringBootApplication
public class Catalog {

    /** Called by Spring. */
    public Catalog() {}

    /** An author. */
    @Entity
    public static class Author {
        @Id
        @SnowflakeId
        @Nullable
        Long id;

        /** Called by Hibernate. */
        public Author() {}
    }

    /** A publisher. */
    @Entity
    public static class Publisher {
        @Id
        @SnowflakeId
        @Nullable
        Long id;

        /** Called by Hibernate. */
        public Publisher() {}
    }

    /** A title. */
    @Entity
    public static class Title {
        @Id
        @SnowflakeId
        @Nullable
        Long id;

        /** Called by Hibernate. */
        public Title() {}
    }
}
