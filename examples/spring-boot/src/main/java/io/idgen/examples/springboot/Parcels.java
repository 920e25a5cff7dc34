package io.idgen.examples.springboot;

import io.idgen.core.IdSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Service;

/** Uses a source that has no entity. */
@Service
class Parcels {
    private final IdSource parcelIds;

    Parcels(@Qualifier("parcels") IdSource parcelIds) {
        this.parcelIds = parcelIds;
    }

    long nextNumber() {
        return parcelIds.nextId();
    }
}
