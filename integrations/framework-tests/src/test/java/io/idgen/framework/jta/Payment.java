package io.idgen.framework.jta;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An entity with only an id. */
@Entity
public class Payment {
    @Id
    @SnowflakeId
    Long id;
}
