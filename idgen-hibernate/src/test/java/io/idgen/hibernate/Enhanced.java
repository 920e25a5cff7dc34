package io.idgen.hibernate;

import jakarta.persistence.Basic;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import java.util.function.Supplier;

/** To be enhanced, and read through an interface that is not: its class is another loader's. */
@Entity
public class Enhanced implements Supplier<Long>, Runnable {
    @Id
    @SnowflakeId
    Long id;

    @SnowflakeId
    Long number;

    @Basic(fetch = FetchType.LAZY)
    String note;

    /** Made by Hibernate, and by reflection. */
    public Enhanced() {}

    @Override
    public Long get() {
        return id;
    }

    /** Changes it. */
    @Override
    public void run() {
        note = "changed " + number;
    }

    @Override
    public String toString() {
        return note;
    }
}
