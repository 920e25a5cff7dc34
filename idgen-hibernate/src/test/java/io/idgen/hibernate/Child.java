package io.idgen.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;

@Entity
@Table(name = "children")
class Child {
    @Id
    @SnowflakeId
    Long id;

    @ManyToOne(optional = false)
    Parent parent;
}
