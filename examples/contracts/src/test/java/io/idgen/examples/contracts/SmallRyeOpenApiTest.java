package io.idgen.examples.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.examples.contracts.Tickets.Ticket;
import io.smallrye.openapi.api.SmallRyeOpenAPI;
import java.io.IOException;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.media.Schema.SchemaType;
import org.jboss.jandex.Index;
import org.junit.jupiter.api.Test;

class SmallRyeOpenApiTest {
    private final OpenAPI contract;

    SmallRyeOpenApiTest() throws IOException {
        contract = SmallRyeOpenAPI.builder()
                .withIndex(Index.of(Tickets.class, Ticket.class))
                .build()
                .model();
    }

    private Schema attribute(String name) {
        return contract.getComponents()
                .getSchemas()
                .get("Ticket")
                .getProperties()
                .get(name);
    }

    private Schema parameter(String path) {
        return contract.getPaths()
                .getPathItem(path)
                .getGET()
                .getParameters()
                .get(0)
                .getSchema();
    }

    private static void assertIsText(Schema schema) {
        assertThat(schema.getType()).containsExactly(SchemaType.STRING);
        assertThat(schema.getFormat()).isNull();
    }

    private static void assertIsNumber(Schema schema) {
        assertThat(schema.getType()).containsExactly(SchemaType.INTEGER);
        assertThat(schema.getFormat()).isEqualTo("int64");
    }

    @Test
    void declaredIdsAreStringsInTheContract() {
        assertIsText(attribute("id"));
        assertIsText(parameter("/tickets/{id}"));
        assertIsText(parameter("/tickets/of/{customer}"));
        assertIsText(parameter("/tickets"));
    }

    @Test
    void otherNumbersAndUndeclaredIdsAreNumbersInTheContract() {
        assertIsNumber(attribute("seats"));
        assertIsNumber(parameter("/tickets/undeclared/{id}"));
    }
}
