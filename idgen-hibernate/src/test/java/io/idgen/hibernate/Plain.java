package io.idgen.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** Nothing but an id. */
@Entity
class Plain {
    @Id
    @SnowflakeId
    Long id;
}
