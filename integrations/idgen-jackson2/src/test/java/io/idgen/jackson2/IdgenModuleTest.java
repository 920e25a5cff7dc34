package io.idgen.jackson2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.DatabindException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.idgen.hibernate.SnowflakeId;
import io.idgen.text.IdAsString;
import io.idgen.text.IdPermutation;
import io.idgen.text.PublicId;
import io.idgen.text.PublicIds;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdgenModuleTest {
    private static final long ID = 382324861541810176L + 10;
    private static final long LARGEST_EXACT = 9007199254740991L; // 2^53 - 1
    private static final PublicIds PUBLIC_IDS = new PublicIds(
            1,
            Map.of(
                    1,
                    IdPermutation.over63Bits("a key of 32 bytes for the tests.".getBytes(StandardCharsets.US_ASCII))));
    private static final String ENCODED = PUBLIC_IDS.encode(ID);

    private final JsonMapper bare = JsonMapper.builder().build();
    private final JsonMapper mapper = with(new IdgenModule());
    private final JsonMapper large = with(new IdgenModule().withLargeLongsAsStrings());
    private final JsonMapper encoding = with(new IdgenModule().withPublicIds(PUBLIC_IDS));

    private static JsonMapper with(IdgenModule module) {
        return JsonMapper.builder().addModule(module).build();
    }

    /** Returns the id that a browser has after JSON.parse, whose numbers are doubles. */
    private long inJavaScript(String json) throws Exception {
        JsonNode id = bare.readTree(json).get("id");
        return id.isNumber()
                ? (long) id.doubleValue()
                : Long.parseLong(id.toString().replace("\"", ""));
    }

    record Plain(long id) {}

    record Order(@IdAsString long id, @IdAsString Long parent, int lines) {}

    /** An entity with the annotation on the field. */
    static class Book {
        @SnowflakeId
        private Long id;

        private long pages;

        public Long getId() {
            return id;
        }

        public void setId(Long id) {
            this.id = id;
        }

        public long getPages() {
            return pages;
        }

        public void setPages(long pages) {
            this.pages = pages;
        }
    }

    // ---- the rounding, and how to prevent it ----

    @Test
    void withoutTheModuleJavaScriptReadsAnotherId() throws Exception {
        String json = bare.writeValueAsString(new Plain(ID));

        assertThat(json).isEqualTo("{\"id\":382324861541810186}");
        assertThat(inJavaScript(json)).isEqualTo(382324861541810176L).isNotEqualTo(ID);
    }

    @Test
    void anAnnotatedIdReachesJavaScriptAndComesBack() throws Exception {
        Order order = new Order(ID, ID + 1, 3);
        String json = mapper.writeValueAsString(order);

        assertThat(json).isEqualTo("{\"id\":\"382324861541810186\",\"parent\":\"382324861541810187\",\"lines\":3}");
        assertThat(inJavaScript(json)).isEqualTo(ID);
        assertThat(mapper.readValue(json, Order.class)).isEqualTo(order);
    }

    @Test
    void withoutTheModuleTheAnnotationHasNoEffect() throws Exception {
        assertThat(bare.writeValueAsString(new Order(ID, null, 3))).startsWith("{\"id\":382324861541810186,");
    }

    @Test
    void anIdThatHibernateGeneratesNeedsNoOtherAnnotation() throws Exception {
        Book book = new Book();
        book.setId(ID);
        book.setPages(Long.MAX_VALUE);
        String json = mapper.writeValueAsString(book);

        assertThat(mapper.readTree(json))
                .isEqualTo(bare.readTree("{\"id\":\"382324861541810186\",\"pages\":9223372036854775807}"));
        assertThat(mapper.readValue(json, Book.class).getId()).isEqualTo(ID);
    }

    // ---- all longs ----

    @ParameterizedTest
    @CsvSource({
        "9007199254740991, {\"id\":9007199254740991}",
        "9007199254740992, {\"id\":\"9007199254740992\"}",
        "-9007199254740991, {\"id\":-9007199254740991}",
        "-9007199254740992, {\"id\":\"-9007199254740992\"}",
        "9223372036854775807, {\"id\":\"9223372036854775807\"}",
        "-9223372036854775808, {\"id\":\"-9223372036854775808\"}",
        "0, {\"id\":0}"
    })
    void onRequestAllLongsThatJavaScriptWouldRoundAreStrings(long id, String json) throws Exception {
        assertThat(large.writeValueAsString(new Plain(id))).isEqualTo(json);
        assertThat(inJavaScript(json)).isEqualTo(id);
        assertThat(large.readValue(json, Plain.class)).isEqualTo(new Plain(id));
    }

    @Test
    void onRequestLongsOutsideObjectsAreStringsToo() throws Exception {
        assertThat(large.writeValueAsString(ID)).isEqualTo("\"382324861541810186\"");
        assertThat(large.writeValueAsString(new long[] {1, ID})).isEqualTo("[1,\"382324861541810186\"]");
        assertThat(large.writeValueAsString(List.of(1L, ID))).isEqualTo("[1,\"382324861541810186\"]");
        assertThat(large.writeValueAsString(Map.of("id", ID))).isEqualTo("{\"id\":\"382324861541810186\"}");
        assertThat(large.writeValueAsString(BigInteger.TWO.pow(70))).isEqualTo("\"1180591620717411303424\"");
        assertThat(large.readValue("[1,\"382324861541810186\"]", long[].class)).containsExactly(1, ID);
    }

    @Test
    void withoutARequestLongsWithoutAnAnnotationAreAsJacksonWritesThem() throws Exception {
        assertThat(mapper.writeValueAsString(new Plain(ID))).isEqualTo("{\"id\":382324861541810186}");
        assertThat(mapper.writeValueAsString(new long[] {1, ID})).isEqualTo("[1,382324861541810186]");
        assertThat(mapper.writeValueAsString(BigInteger.TWO.pow(70))).isEqualTo("1180591620717411303424");
        assertThat(mapper.readValue("{\"id\":382324861541810186}", Plain.class)).isEqualTo(new Plain(ID));
        assertThat(mapper.readValue("[1,382324861541810186]", long[].class)).containsExactly(1, ID);
    }

    record BigId(@IdAsString BigInteger id) {}

    record BigPublicId(@PublicId BigInteger id) {}

    record BigIds(@IdAsString List<BigInteger> ids) {}

    /** BigInteger may be larger than any id. Such a number would be written and not read again. */
    @Test
    void aNumberLargerThanAnyIdIsRefusedAtWriting() throws Exception {
        BigInteger largest = BigInteger.valueOf(Long.MAX_VALUE);
        BigId id = new BigId(largest);
        assertThat(mapper.readValue(mapper.writeValueAsString(id), BigId.class)).isEqualTo(id);

        for (BigInteger number : List.of(
                largest.add(BigInteger.ONE), BigInteger.valueOf(Long.MIN_VALUE).subtract(BigInteger.ONE))) {
            for (Object attribute : List.of(new BigId(number), new BigPublicId(number), new BigIds(List.of(number)))) {
                assertThatThrownBy(() -> encoding.writeValueAsString(attribute))
                        .hasMessageContaining("an id is at most 9223372036854775807, got " + number);
            }
            assertThat(large.readValue(large.writeValueAsString(number), BigInteger.class))
                    .as("without an annotation")
                    .isEqualTo(number);
        }
    }

    static class Excepted {
        @SnowflakeId
        @JsonFormat(shape = JsonFormat.Shape.NUMBER)
        public long id = ID;
    }

    @Test
    void anAttributeMayBeExcepted() throws Exception {
        assertThat(large.writeValueAsString(new Excepted())).isEqualTo("{\"id\":382324861541810186}");
    }

    // ---- attributes, arrays, collections and maps ----

    record Everywhere(
            @IdAsString long[] array,
            @IdAsString Long[] boxed,
            @IdAsString List<Long> list,
            @IdAsString List<List<Long>> nested,
            @IdAsString Map<Long, Long> map,
            @IdAsString BigInteger big) {}

    private static Everywhere everywhere() {
        return new Everywhere(
                new long[] {1, ID},
                new Long[] {2L, null},
                Arrays.asList(3L, null),
                List.of(List.of(4L)),
                Map.of(5L, 6L),
                BigInteger.valueOf(8));
    }

    @Test
    void idsInArraysCollectionsMapsAndOptionalsAreStrings() throws Exception {
        String json = mapper.writeValueAsString(everywhere());

        assertThat(json)
                .isEqualTo("{\"array\":[\"1\",\"382324861541810186\"],\"boxed\":[\"2\",null],\"list\":[\"3\",null],"
                        + "\"nested\":[[\"4\"]],\"map\":{\"5\":\"6\"},\"big\":\"8\"}");
        assertThat(mapper.readValue(json, Everywhere.class))
                .usingRecursiveComparison()
                .isEqualTo(everywhere());
    }

    /** An id with its own type. */
    record OrderId(@JsonValue long value) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        OrderId {}
    }

    record Line(
            @IdAsString OrderId order,
            @IdAsString List<OrderId> others,
            @SnowflakeId OrderId id) {}

    @Test
    void aTypeOfTheApplicationsOwnWithOneValueIsAString() throws Exception {
        Line line = new Line(new OrderId(ID), List.of(new OrderId(1)), new OrderId(2));
        String json = mapper.writeValueAsString(line);

        assertThat(json).isEqualTo("{\"order\":\"382324861541810186\",\"others\":[\"1\"],\"id\":\"2\"}");
        assertThat(mapper.readValue(json, Line.class)).isEqualTo(line);
    }

    @Test
    void nullsStayNull() throws Exception {
        String json = mapper.writeValueAsString(new Order(1, null, 0));

        assertThat(json).isEqualTo("{\"id\":\"1\",\"parent\":null,\"lines\":0}");
        assertThat(mapper.readValue(json, Order.class)).isEqualTo(new Order(1, null, 0));
        assertThat(mapper.readValue("{\"id\":\"1\",\"lines\":0}", Order.class)).isEqualTo(new Order(1, null, 0));
    }

    // ---- reading ----

    @Test
    void smallNumbersAreReadAsWell() throws Exception {
        Order order = mapper.readValue("{\"id\":9007199254740991,\"parent\":-1,\"lines\":0}", Order.class);

        assertThat(order).isEqualTo(new Order(LARGEST_EXACT, -1L, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"9007199254740992", "382324861541810200", "-9007199254740992", "92233720368547758080"})
    void aNumberThatAClientMayHaveRoundedIsRefused(String number) {
        assertThatThrownBy(() -> mapper.readValue("{\"lines\":0,\"id\":" + number + "}", Order.class))
                .isInstanceOf(DatabindException.class)
                .hasMessageContaining(number)
                .hasMessageContaining("above 2^53 - 1 (9007199254740991), an id must be a JSON string")
                .hasMessageContaining("send the id as a string of digits, as it was received")
                .hasMessageContaining("\"id\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " 1", "1 ", "+1", "1.0", "1e3", "0x10", "٣", "order-1", "9223372036854775808", "--1"})
    void aStringThatIsNoIdIsRefused(String text) {
        assertThatThrownBy(() -> mapper.readValue("{\"lines\":0,\"id\":\"" + text + "\"}", Order.class))
                .isInstanceOf(DatabindException.class)
                .hasMessageContaining("\"" + text + "\"")
                .hasMessageContaining(
                        "an id is a string of decimal digits, without spaces and at most 9223372036854775807")
                .hasMessageContaining("\"id\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "1e3", "true", "{}", "[1]"})
    void otherValuesAreNoIds(String json) {
        assertThatThrownBy(() -> mapper.readValue("{\"lines\":0,\"id\":" + json + "}", Order.class))
                .isInstanceOf(DatabindException.class)
                .hasMessageContaining("\"id\"");
    }

    @Test
    void aNullInAnArrayOfLongsIsRefused() {
        assertThatThrownBy(() -> mapper.readValue("{\"array\":[\"1\",null]}", Everywhere.class))
                .isInstanceOf(DatabindException.class)
                .hasMessageContaining("element 1 of an array of ids is null");
    }

    // ---- public ids ----

    record Customer(
            @PublicId long id,
            @PublicId List<Long> orders,
            @PublicId Map<Long, String> notes) {}

    @Test
    void publicIdsAreEncodedAndDecoded() throws Exception {
        Customer customer = new Customer(ID, List.of(ID), Map.of(ID, "late"));
        String json = encoding.writeValueAsString(customer);

        assertThat(json)
                .isEqualTo("{\"id\":\"%s\",\"orders\":[\"%s\"],\"notes\":{\"%s\":\"late\"}}"
                        .formatted(ENCODED, ENCODED, ENCODED))
                .doesNotContain(Long.toString(ID));
        assertThat(encoding.readValue(json, Customer.class)).isEqualTo(customer);
    }

    record Parcel(
            @PublicId("parcel") long id,
            @PublicId("order") List<Long> orders,
            @PublicId("order") Map<Long, String> notes) {}

    @Test
    void aPublicIdBeginsWithTheKindThatItsAnnotationNames() throws Exception {
        Parcel parcel = new Parcel(ID, List.of(ID), Map.of(ID, "late"));
        String json = encoding.writeValueAsString(parcel);

        assertThat(json)
                .isEqualTo("{\"id\":\"parcel_%s\",\"orders\":[\"order_%s\"],\"notes\":{\"order_%s\":\"late\"}}"
                        .formatted(ENCODED, ENCODED, ENCODED));
        assertThat(encoding.readValue(json, Parcel.class)).isEqualTo(parcel);
        assertThatThrownBy(() -> encoding.readValue(json.replace("parcel_", "order_"), Parcel.class))
                .isInstanceOf(DatabindException.class)
                .hasMessageContaining("begins with parcel_");
        assertThatThrownBy(() -> encoding.readValue(json.replace("{\"order_", "{\""), Parcel.class))
                .isInstanceOf(DatabindException.class)
                .hasMessageContaining("begins with order_");
    }

    static class Account {
        @SnowflakeId
        @PublicId
        public long id = ID;
    }

    @Test
    void anIdThatHibernateGeneratesMayBePublic() throws Exception {
        assertThat(encoding.writeValueAsString(new Account())).isEqualTo("{\"id\":\"" + ENCODED + "\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"382324861541810186\"", "\"k9_0000000000000\"", "\"\"", "\"k1_\"", "7", "1.5", "true"})
    void onlyPublicIdsAreReadAsPublicIds(String id) {
        assertThatThrownBy(() -> encoding.readValue("{\"id\":" + id + "}", Customer.class))
                .isInstanceOf(DatabindException.class)
                .hasMessageContaining("\"id\"");
        if (id.startsWith("\"")) {
            assertThatThrownBy(() -> encoding.readValue("{\"notes\":{" + id + ":\"\"}}", Customer.class))
                    .isInstanceOf(DatabindException.class);
        }
    }

    @Test
    void anotherTextSaysWhatAPublicIdIs() {
        assertThatThrownBy(() -> encoding.readValue("{\"id\":\"order\"}", Customer.class))
                .hasMessageContaining("a public id begins with the version of its key, for example k1_");
        assertThatThrownBy(() -> encoding.readValue("{\"id\":7}", Customer.class))
                .hasMessageContaining("a public id is a string like k1_ and 13 characters; send that string");
    }

    @Test
    void withoutKeysAnAttributeWithAPublicIdIsNeitherWrittenNorRead() {
        assertThatThrownBy(() -> mapper.writeValueAsString(new Account()))
                .hasMessageContaining("attribute 'id' has @PublicId, and the module has no keys to encode ids with")
                .hasMessageContaining("new IdgenModule().withPublicIds(");
        assertThatThrownBy(() -> mapper.readValue("{\"id\":\"1\"}", Account.class))
                .hasMessageContaining("the module has no keys");
    }

    // ---- annotations that would have no effect ----

    record PublicInt(@PublicId int id) {}

    record StringOfText(@IdAsString String id) {}

    record Wrapper(long id) {}

    record Inside(@IdAsString Wrapper wrapper) {}

    record PublicValue(@PublicId OrderId id) {}

    record Both(@IdAsString @PublicId long id) {}

    @Test
    void anAnnotationOnAnotherTypeIsRefused() {
        assertThatThrownBy(() -> encoding.writeValueAsString(new PublicInt(1)))
                .hasMessageContaining("attribute 'id' of io.idgen.jackson2.IdgenModuleTest$PublicInt has @PublicId and"
                        + " the type int; it applies to long, Long and BigInteger");
        assertThatThrownBy(() -> mapper.writeValueAsString(new StringOfText("")))
                .hasMessageContaining("has @IdAsString and the type java.lang.String");
        assertThatThrownBy(() -> mapper.writeValueAsString(new Inside(new Wrapper(1))))
                .hasMessageContaining("IdgenModuleTest$Wrapper; it applies to long, Long and BigInteger")
                .hasMessageContaining(
                        "or of types with a @JsonValue of these; change the type, or leave the annotation");
        assertThatThrownBy(() -> encoding.writeValueAsString(new PublicValue(new OrderId(1))))
                .hasMessageContaining("has @PublicId and the type io.idgen.jackson2.IdgenModuleTest$OrderId");
    }

    @Test
    void bothAnnotationsOnOneAttributeAreRefused() {
        assertThatThrownBy(() -> encoding.writeValueAsString(new Both(1)))
                .hasMessageContaining("has @IdAsString and @PublicId; leave one of them out");
    }

    @Test
    void theModuleIsFoundOnTheClassPath() throws Exception {
        JsonMapper found = JsonMapper.builder().findAndAddModules().build();

        assertThat(found.writeValueAsString(new Order(ID, null, 3))).startsWith("{\"id\":\"382324861541810186\",");
    }

    @Test
    void aModuleWithKeysIsUsedInPlaceOfTheOneThatIsFound() throws Exception {
        JsonMapper both = JsonMapper.builder()
                .addModule(new IdgenModule().withPublicIds(PUBLIC_IDS))
                .findAndAddModules()
                .build();

        assertThat(both.writeValueAsString(new Account())).isEqualTo("{\"id\":\"" + ENCODED + "\"}");
    }
}
