package io.idgen.examples.integrations;

import io.idgen.jackson.IdgenModule;
import io.idgen.text.IdPermutation;
import io.idgen.text.PublicIds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Ids in JSON that JavaScript does not round. */
public final class JsonIds {
    private JsonIds() {}

    /**
     * Prints an order and a customer as JSON.
     *
     * @param arguments none
     */
    public static void main(String[] arguments) {
        System.out.println(order());
        System.out.println(customer("sixteen bytes or".getBytes(StandardCharsets.US_ASCII)));
    }

    static String order() {
        JsonMapper mapper = JsonMapper.builder().addModule(new IdgenModule()).build();
        return mapper.writeValueAsString(new Order(382324861541810186L, List.of(382324861541810187L), 3));
    }

    static String customer(byte[] secretKey) {
        PublicIds publicIds = new PublicIds(1, Map.of(1, IdPermutation.over63Bits(secretKey)));
        JsonMapper mapper = JsonMapper.builder()
                .addModule(new IdgenModule().withPublicIds(publicIds))
                .build();
        return mapper.writeValueAsString(new Customer(382324861541810186L, "Dorothea"));
    }
}
