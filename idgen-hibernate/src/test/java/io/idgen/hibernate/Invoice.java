package io.idgen.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An entity that receives its id in its constructor. Its {@code equals} and {@code hashCode} use only the id. */
@Entity
class Invoice {
    @Id
    @SnowflakeId(preset = SnowflakeId.Preset.KEEP)
    private Long id;

    String text = "";

    Invoice() {}

    Invoice(long id) {
        this.id = id;
    }

    Long id() {
        return id;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Invoice invoice && id.equals(invoice.id);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }
}
