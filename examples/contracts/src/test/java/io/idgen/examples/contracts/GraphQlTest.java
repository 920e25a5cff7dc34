package io.idgen.examples.contracts;

import static io.idgen.examples.contracts.JaxRsTest.ID;
import static io.idgen.examples.contracts.JaxRsTest.IDS;
import static org.assertj.core.api.Assertions.assertThat;

import graphql.ExecutionInput;
import graphql.ExecutionResult;
import graphql.GraphQL;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.SchemaGenerator;
import graphql.schema.idl.SchemaParser;
import graphql.schema.idl.TypeRuntimeWiring;
import io.idgen.text.PublicIds;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GraphQlTest {
    private static final PublicIds CUSTOMERS = IDS.withPrefix("customer");
    private static final String SCHEMA = """
            scalar CustomerId
            type Query {
                ticket(id: ID!): ID!
                customer(id: CustomerId!): CustomerId!
                asFloat: Float!
                asInt: Int
            }
            """;

    private final GraphQL graphQl = GraphQL.newGraphQL(new SchemaGenerator()
                    .makeExecutableSchema(
                            new SchemaParser().parse(SCHEMA),
                            RuntimeWiring.newRuntimeWiring()
                                    .scalar(PublicIdScalar.of("CustomerId", CUSTOMERS))
                                    .type(TypeRuntimeWiring.newTypeWiring("Query")
                                            .dataFetcher("ticket", call -> Long.parseLong(call.getArgument("id")))
                                            .dataFetcher("customer", call -> (Long) call.getArgument("id"))
                                            .dataFetcher("asFloat", call -> ID)
                                            .dataFetcher("asInt", call -> ID)
                                            .build())
                                    .build()))
            .build();

    private ExecutionResult ask(String query, Map<String, Object> variables) {
        return graphQl.execute(
                ExecutionInput.newExecutionInput(query).variables(variables).build());
    }

    private static Object data(ExecutionResult result) {
        assertThat(result.getErrors()).isEmpty();
        return result.getData();
    }

    @Test
    void aLongOfTheTypeIdIsAStringInTheResponse() {
        String id = String.valueOf(ID);

        assertThat(data(ask("query($id: ID!) { ticket(id: $id) }", Map.of("id", id))))
                .isEqualTo(Map.of("ticket", id));
    }

    @Test
    void aLongOfAnotherTypeIsRoundedOrRefused() {
        assertThat(data(ask("{ asFloat }", Map.of()))).isEqualTo(Map.of("asFloat", (double) ID));
        assertThat((long) (double) ID).isNotEqualTo(ID);
        assertThat(ask("{ asInt }", Map.of()).getErrors()).hasSize(1);
    }

    @Test
    void aScalarOfPublicIdsDecodesVariablesAndLiteralsAndEncodesResponses() {
        String id = CUSTOMERS.encode(ID);

        assertThat(data(ask("query($id: CustomerId!) { customer(id: $id) }", Map.of("id", id))))
                .isEqualTo(Map.of("customer", id));
        assertThat(data(ask("{ customer(id: \"" + id + "\") }", Map.of()))).isEqualTo(Map.of("customer", id));
    }

    @Test
    void aScalarOfPublicIdsRefusesIdsOfAnotherKindAndNumbers() {
        String order = IDS.withPrefix("order").encode(ID);
        String query = "query($id: CustomerId!) { customer(id: $id) }";

        assertThat(ask(query, Map.of("id", order)).getErrors().get(0).getMessage())
                .contains("begins with customer_");
        assertThat(ask(query, Map.of("id", ID)).getErrors()).hasSize(1);
        assertThat(ask("{ customer(id: \"" + order + "\") }", Map.of()).getErrors())
                .hasSize(1);
        assertThat(ask("{ customer(id: " + ID + ") }", Map.of()).getErrors()).hasSize(1);
    }
}
