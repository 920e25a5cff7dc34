package io.idgen.framework.quarkus;

import io.idgen.hibernate.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** Its id is too short for the default strategy: Quarkus can only read the mapping with the settings. */
@Entity
public class Page {
    @Id
    @SnowflakeId
    private Integer id;

    /** Returns the id, which is set by {@code persist}. */
    public Integer id() {
        return id;
    }
}
