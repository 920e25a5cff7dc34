package io.idgen.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An entity with an id, and an attribute for HQL. */
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
