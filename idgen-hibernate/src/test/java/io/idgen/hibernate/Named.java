package io.idgen.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An id, and something to say in HQL. */
@Entity
class Named {
    @Id
    @SnowflakeId
    Long id;

    String name = "";

    Named() {}

    Named(String name) {
        this.name = name;
    }
}
