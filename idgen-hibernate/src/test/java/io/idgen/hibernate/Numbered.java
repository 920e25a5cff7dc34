package io.idgen.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An entity with a generated attribute that is not its id. */
@Entity
class Numbered {
    @Id
    @SnowflakeId
    Long id;

    @SnowflakeId
    Long number;

    String note = "";
}
