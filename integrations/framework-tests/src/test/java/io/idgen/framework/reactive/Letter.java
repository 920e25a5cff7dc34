package io.idgen.framework.reactive;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An entity with an id of idgen. */
@Entity
public class Letter {
    @Id
    @SnowflakeId
    Long id;
}
