package io.idgen.spring.boot;

import io.idgen.core.SourceSnapshot;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The actuator endpoint {@code idgen}: the state of the open sources. Read-only: it generates no ids.
 */
@Endpoint(id = "idgen")
public class IdgenEndpoint {
    private final UnitSources sources;

    IdgenEndpoint(UnitSources sources) {
        this.sources = sources;
    }

    /**
     * Returns the state of the open sources. Does no I/O.
     *
     * @return snapshots by name; the name begins with the persistence unit if it has sources of its own
     */
    @ReadOperation
    public Map<String, SourceSnapshot> sources() {
        return sources.snapshots();
    }
}
