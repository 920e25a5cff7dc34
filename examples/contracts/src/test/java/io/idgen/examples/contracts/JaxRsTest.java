package io.idgen.examples.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.idgen.examples.contracts.Tickets.Ticket;
import io.idgen.jackson2.IdgenModule;
import io.idgen.text.IdPermutation;
import io.idgen.text.PublicIds;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

class JaxRsTest {
    static final long ID = 382324861541810186L;
    static final PublicIds IDS = new PublicIds(
            1, Map.of(1, IdPermutation.over63Bits("sixteen bytes or".getBytes(StandardCharsets.US_ASCII))));

    private final ApplicationHandler handler = new ApplicationHandler(
            new ResourceConfig(Tickets.class, JsonWriter.class).register(new PublicIdParameters(IDS)));

    /** Writes JSON as a provider of JAX-RS does. */
    @Produces("application/json")
    static class JsonWriter implements MessageBodyWriter<Ticket> {
        private static final ObjectMapper MAPPER = new ObjectMapper().registerModule(new IdgenModule());

        @Override
        public boolean isWriteable(Class<?> type, Type generic, Annotation[] annotations, MediaType media) {
            return type == Ticket.class;
        }

        @Override
        public void writeTo(
                Ticket ticket,
                Class<?> type,
                Type generic,
                Annotation[] annotations,
                MediaType media,
                MultivaluedMap<String, Object> headers,
                OutputStream out)
                throws IOException {
            out.write(MAPPER.writeValueAsBytes(ticket));
        }
    }

    private static String json(long id) {
        return "{\"id\":\"" + id + "\",\"seats\":2}";
    }

    private ContainerResponse get(String path, OutputStream out) throws Exception {
        URI base = URI.create("http://localhost/");
        return handler.apply(
                        new ContainerRequest(base, base.resolve(path), "GET", null, new MapPropertiesDelegate(), null),
                        out)
                .get();
    }

    private String get(String path) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(get(path, out).getStatus()).isEqualTo(200);
        return out.toString(StandardCharsets.UTF_8);
    }

    private int status(String path) throws Exception {
        return get(path, OutputStream.nullOutputStream()).getStatus();
    }

    @Test
    void aPublicIdInAPathOrAQueryReachesTheResourceAsItsId() throws Exception {
        assertThat(get("tickets/of/" + IDS.withPrefix("customer").encode(ID))).isEqualTo(json(ID));
        assertThat(get("tickets?since=" + IDS.encode(ID))).isEqualTo(json(ID));
    }

    @Test
    void anAbsentPublicIdIsNull() throws Exception {
        assertThat(get("tickets")).isEqualTo(json(-1));
    }

    @Test
    void anIdOfAnotherKindAndANumberAreBadRequests() throws Exception {
        assertThat(status("tickets/of/" + IDS.withPrefix("order").encode(ID))).isEqualTo(400);
        assertThat(status("tickets/of/" + ID)).isEqualTo(400);
        assertThat(status("tickets?since=" + ID)).isEqualTo(400);
    }

    @Test
    void digitsReachTheResourceUnrounded() throws Exception {
        assertThat(get("tickets/" + ID)).isEqualTo(json(ID));
        assertThat(get("tickets/" + (long) (double) ID)).isNotEqualTo(json(ID)); // what JavaScript sends for a number
    }
}
