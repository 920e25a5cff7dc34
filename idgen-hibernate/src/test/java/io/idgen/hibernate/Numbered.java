package io.idgen.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An attribute that is no id gets a value too. */
@Entity
class Numbered {
    @Id
    @SnowflakeId
    Long id;

    @SnowflakeId
    Long number;

    String note = "";
}
