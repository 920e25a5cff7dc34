package io.idgen.quarkus.deployment;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An entity of the applications of the tests. */
@Entity
public class Chapter {
    @Id
    @SnowflakeId
    public Long id;
}
