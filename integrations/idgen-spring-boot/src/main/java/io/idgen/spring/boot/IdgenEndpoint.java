package io.idgen.spring.boot;

import io.idgen.core.SourceSnapshot;
import io.idgen.text.IdInspector;
import io.idgen.text.InspectedId;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The actuator endpoint {@code idgen}: the state of the open sources, and decoded ids. Read-only: it generates no ids.
 */
@Endpoint(id = "idgen")
public class IdgenEndpoint {
    private final UnitSources sources;
    private final IdInspector inspector = new IdInspector(Clock.systemUTC());

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

    /**
     * Decodes an id.
     *
     * @param id the id, above 0
     * @return the id under each plausible layout, the most plausible first
     */
    @ReadOperation
    public List<DecodedId> decode(@Selector long id) {
        if (id <= 0) {
            throw new InvalidEndpointRequestException(id + " is not an id of idgen", "an id is above 0, got " + id);
        }
        return inspector.inspect(id).stream().map(DecodedId::of).toList();
    }

    /**
     * An id under one layout.
     *
     * @param id in decimal; a string, because JavaScript rounds integers above 2<sup>53</sup>
     * @param layout the preset's name, or widths and epoch
     * @param time the time in the id
     * @param datacenter the datacenter id; 0 if the layout has none
     * @param worker the worker id within the datacenter
     * @param sequence the sequence within the tick
     */
    public record DecodedId(String id, String layout, Instant time, int datacenter, int worker, int sequence) {
        static DecodedId of(InspectedId inspected) {
            return new DecodedId(
                    Long.toString(inspected.id()),
                    inspected.preset().orElseGet(() -> inspected.layout().toString()),
                    inspected.parts().time(),
                    inspected.parts().datacenter(),
                    inspected.parts().worker(),
                    inspected.parts().sequence());
        }
    }
}
