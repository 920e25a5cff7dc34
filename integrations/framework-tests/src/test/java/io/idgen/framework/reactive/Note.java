package io.idgen.framework.reactive;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An entity that is none of idgen's business. */
@Entity
public class Note {
    @Id
    String id;
}
