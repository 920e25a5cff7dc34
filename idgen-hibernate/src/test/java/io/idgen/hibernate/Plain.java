package io.idgen.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An entity with only an id. */
@Entity
class Plain {
    @Id
    @SnowflakeId
    Long id;
}
