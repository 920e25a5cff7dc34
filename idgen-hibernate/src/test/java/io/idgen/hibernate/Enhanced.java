package io.idgen.hibernate;

import jakarta.persistence.Basic;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import java.util.function.Supplier;

/**
 * An entity for enhancement. The test calls it through interfaces of the JDK, because another class loader defines it.
 */
@Entity
public class Enhanced implements Supplier<Long>, Runnable {
    @Id
    @SnowflakeId
    Long id;

    @SnowflakeId
    Long number;

    @Basic(fetch = FetchType.LAZY)
    String note;

    /** Called by Hibernate, and by reflection. */
    public Enhanced() {}

    @Override
    public Long get() {
        return id;
    }

    /** Changes the lazy attribute. */
    @Override
    public void run() {
        note = "changed " + number;
    }

    @Override
    public String toString() {
        return note;
    }
}
