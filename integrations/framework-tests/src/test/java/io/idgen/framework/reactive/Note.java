package io.idgen.framework.reactive;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An entity without ids of idgen. */
@Entity
public class Note {
    @Id
    String id;
}
