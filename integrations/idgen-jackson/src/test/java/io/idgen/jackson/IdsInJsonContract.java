package io.idgen.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIdentityInfo;
import com.fasterxml.jackson.annotation.JsonIdentityReference;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.ObjectIdGenerators;
import io.idgen.hibernate.SnowflakeId;
import io.idgen.text.IdAsString;
import io.idgen.text.IdPermutation;
import io.idgen.text.PublicId;
import io.idgen.text.PublicIds;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests ids in JSON. Extended once for each version of Jackson.
 */
public abstract class IdsInJsonContract {
    private static final long ID = 382324861541810176L + 10;
    private static final long LARGEST_EXACT = 9007199254740991L; // 2^53 - 1

    /** The keys of the mappers that encode ids. */
    protected static final PublicIds PUBLIC_IDS = new PublicIds(
            1,
            Map.of(
                    1,
                    IdPermutation.over63Bits("a key of 32 bytes for the tests.".getBytes(StandardCharsets.US_ASCII))));

    private static final String ENCODED = PUBLIC_IDS.encode(ID);

    private final Mapper bare;
    private final Mapper mapper;
    private final Mapper large;
    private final Mapper encoding;
    private final Mapper found;
    private final Mapper replaced;
    private final Class<? extends Throwable> refusal;

    /** Writes and reads JSON by a version of Jackson. */
    protected interface Mapper {
        String write(Object value) throws Exception;

        <T> T read(String json, Class<T> type) throws Exception;
    }

    /**
     * For subclasses.
     *
     * @param bare without a module
     * @param mapper with the module
     * @param large with the module, which writes all large longs as strings
     * @param encoding with the module and its keys
     * @param found with the module that Jackson finds on the class path
     * @param replaced with that module, and one with keys
     * @param refusal what Jackson throws for values that it cannot write or read
     */
    protected IdsInJsonContract(
            Mapper bare,
            Mapper mapper,
            Mapper large,
            Mapper encoding,
            Mapper found,
            Mapper replaced,
            Class<? extends Throwable> refusal) {
        this.bare = bare;
        this.mapper = mapper;
        this.large = large;
        this.encoding = encoding;
        this.found = found;
        this.replaced = replaced;
        this.refusal = refusal;
    }

    /** Returns the id that a browser has after JSON.parse, whose numbers are doubles. */
    private long inJavaScript(String json) throws Exception {
        Object id = bare.read(json, Map.class).get("id");
        return id instanceof Number number ? (long) number.doubleValue() : Long.parseLong((String) id);
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
        String json = bare.write(new Plain(ID));

        assertThat(json).isEqualTo("{\"id\":382324861541810186}");
        assertThat(inJavaScript(json)).isEqualTo(382324861541810176L).isNotEqualTo(ID);
    }

    @Test
    void anAnnotatedIdReachesJavaScriptAndComesBack() throws Exception {
        Order order = new Order(ID, ID + 1, 3);
        String json = mapper.write(order);

        assertThat(json).isEqualTo("{\"id\":\"382324861541810186\",\"parent\":\"382324861541810187\",\"lines\":3}");
        assertThat(inJavaScript(json)).isEqualTo(ID);
        assertThat(mapper.read(json, Order.class)).isEqualTo(order);
    }

    @Test
    void withoutTheModuleTheAnnotationHasNoEffect() throws Exception {
        assertThat(bare.write(new Order(ID, null, 3))).startsWith("{\"id\":382324861541810186,");
    }

    @Test
    void anIdThatHibernateGeneratesNeedsNoOtherAnnotation() throws Exception {
        Book book = new Book();
        book.setId(ID);
        book.setPages(Long.MAX_VALUE);
        String json = mapper.write(book);

        assertThat((Object) bare.read(json, Map.class))
                .isEqualTo(Map.of("id", "382324861541810186", "pages", Long.MAX_VALUE));
        assertThat(mapper.read(json, Book.class).getId()).isEqualTo(ID);
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
        assertThat(large.write(new Plain(id))).isEqualTo(json);
        assertThat(inJavaScript(json)).isEqualTo(id);
        assertThat(large.read(json, Plain.class)).isEqualTo(new Plain(id));
    }

    @Test
    void onRequestLongsOutsideObjectsAreStringsToo() throws Exception {
        assertThat(large.write(ID)).isEqualTo("\"382324861541810186\"");
        assertThat(large.write(new long[] {1, ID})).isEqualTo("[1,\"382324861541810186\"]");
        assertThat(large.write(List.of(1L, ID))).isEqualTo("[1,\"382324861541810186\"]");
        assertThat(large.write(Map.of("id", ID))).isEqualTo("{\"id\":\"382324861541810186\"}");
        assertThat(large.read("[1,\"382324861541810186\"]", long[].class)).containsExactly(1, ID);
    }

    @Test
    void withoutARequestLongsWithoutAnAnnotationAreAsJacksonWritesThem() throws Exception {
        assertThat(mapper.write(new Plain(ID))).isEqualTo("{\"id\":382324861541810186}");
        assertThat(mapper.write(new long[] {1, ID})).isEqualTo("[1,382324861541810186]");
        assertThat(mapper.read("{\"id\":382324861541810186}", Plain.class)).isEqualTo(new Plain(ID));
        assertThat(mapper.read("[1,382324861541810186]", long[].class)).containsExactly(1, ID);
    }

    static class Excepted {
        @SnowflakeId
        @JsonFormat(shape = JsonFormat.Shape.NUMBER)
        public long id = ID;
    }

    @Test
    void anAttributeMayBeExcepted() throws Exception {
        assertThat(large.write(new Excepted())).isEqualTo("{\"id\":382324861541810186}");
    }

    // ---- attributes, arrays, collections and maps ----

    record Everywhere(
            @IdAsString Long[] boxed,
            @IdAsString List<Long> list,
            @IdAsString List<List<Long>> nested,
            @IdAsString Map<Long, Long> map) {}

    private static Everywhere everywhere() {
        return new Everywhere(new Long[] {ID, null}, Arrays.asList(3L, null), List.of(List.of(4L)), Map.of(5L, 6L));
    }

    @Test
    void idsInArraysCollectionsAndMapsAreStrings() throws Exception {
        String json = mapper.write(everywhere());

        assertThat(json)
                .isEqualTo("{\"boxed\":[\"382324861541810186\",null],\"list\":[\"3\",null],"
                        + "\"nested\":[[\"4\"]],\"map\":{\"5\":\"6\"}}");
        assertThat(mapper.read(json, Everywhere.class))
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
        String json = mapper.write(line);

        assertThat(json).isEqualTo("{\"order\":\"382324861541810186\",\"others\":[\"1\"],\"id\":\"2\"}");
        assertThat(mapper.read(json, Line.class)).isEqualTo(line);
    }

    record Unwrapped(@JsonUnwrapped(prefix = "order_") Order order) {}

    @Test
    void anUnwrappedObjectKeepsTheFormsOfItsAttributes() throws Exception {
        assertThat(mapper.write(new Unwrapped(new Order(ID, null, 3))))
                .isEqualTo("{\"order_id\":\"382324861541810186\",\"order_parent\":null,\"order_lines\":3}");
    }

    @Test
    void aKeyOfAMapIsAlwaysAString() throws Exception {
        assertThat(mapper.write(Map.of(ID, 1))).isEqualTo("{\"382324861541810186\":1}");
        assertThat(mapper.write(Map.of(new OrderId(ID), 1))).isEqualTo("{\"382324861541810186\":1}");
    }

    @JsonIdentityInfo(generator = ObjectIdGenerators.PropertyGenerator.class, property = "id")
    @JsonPropertyOrder({"id", "self", "onlyAsId", "all"})
    static class Section {
        @SnowflakeId
        public Long id = ID;

        public Section self = this;

        @JsonIdentityReference(alwaysAsId = true)
        public Section onlyAsId = this;

        public List<Section> all = List.of(this);
    }

    @Test
    void aReferenceToAnObjectIsWrittenAsItsIdIs() throws Exception {
        String json = mapper.write(new Section());

        assertThat(json)
                .isEqualTo("{\"id\":\"382324861541810186\",\"self\":\"382324861541810186\","
                        + "\"onlyAsId\":\"382324861541810186\",\"all\":[\"382324861541810186\"]}");
        Section read = mapper.read(json, Section.class);
        assertThat(read.self).isSameAs(read);
        assertThat(bare.write(new Section())).contains("\"self\":382324861541810186");
    }

    @Test
    void nullsStayNull() throws Exception {
        String json = mapper.write(new Order(1, null, 0));

        assertThat(json).isEqualTo("{\"id\":\"1\",\"parent\":null,\"lines\":0}");
        assertThat(mapper.read(json, Order.class)).isEqualTo(new Order(1, null, 0));
        assertThat(mapper.read("{\"id\":\"1\",\"lines\":0}", Order.class)).isEqualTo(new Order(1, null, 0));
    }

    // ---- reading ----

    @Test
    void smallNumbersAreReadAsWell() throws Exception {
        Order order = mapper.read("{\"id\":9007199254740991,\"parent\":-1,\"lines\":0}", Order.class);

        assertThat(order).isEqualTo(new Order(LARGEST_EXACT, -1L, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"9007199254740992", "382324861541810200", "-9007199254740992", "92233720368547758080"})
    void aNumberThatAClientMayHaveRoundedIsRefused(String number) {
        assertThatThrownBy(() -> mapper.read("{\"lines\":0,\"id\":" + number + "}", Order.class))
                .isInstanceOf(refusal)
                .hasMessageContaining(number)
                .hasMessageContaining("above 2^53 - 1 (9007199254740991), an id must be a JSON string")
                .hasMessageContaining("send the id as a string of digits, as it was received")
                .hasMessageContaining("\"id\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " 1", "1 ", "+1", "1.0", "1e3", "0x10", "٣", "order-1", "9223372036854775808", "--1"})
    void aStringThatIsNoIdIsRefused(String text) {
        assertThatThrownBy(() -> mapper.read("{\"lines\":0,\"id\":\"" + text + "\"}", Order.class))
                .isInstanceOf(refusal)
                .hasMessageContaining("\"" + text + "\"")
                .hasMessageContaining(
                        "an id is a string of decimal digits, without spaces and at most 9223372036854775807")
                .hasMessageContaining("\"id\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "1e3", "true", "{}", "[1]"})
    void otherValuesAreNoIds(String json) {
        assertThatThrownBy(() -> mapper.read("{\"lines\":0,\"id\":" + json + "}", Order.class))
                .isInstanceOf(refusal)
                .hasMessageContaining("\"id\"");
    }

    // ---- public ids ----

    record Customer(
            @PublicId long id,
            @PublicId List<Long> orders,
            @PublicId Map<Long, String> notes) {}

    @Test
    void publicIdsAreEncodedAndDecoded() throws Exception {
        Customer customer = new Customer(ID, List.of(ID), Map.of(ID, "late"));
        String json = encoding.write(customer);

        assertThat(json)
                .isEqualTo("{\"id\":\"%s\",\"orders\":[\"%s\"],\"notes\":{\"%s\":\"late\"}}"
                        .formatted(ENCODED, ENCODED, ENCODED))
                .doesNotContain(Long.toString(ID));
        assertThat(encoding.read(json, Customer.class)).isEqualTo(customer);
    }

    record Parcel(
            @PublicId("parcel") long id,
            @PublicId("order") List<Long> orders,
            @PublicId("order") Map<Long, String> notes) {}

    @Test
    void aPublicIdBeginsWithTheKindThatItsAnnotationNames() throws Exception {
        Parcel parcel = new Parcel(ID, List.of(ID), Map.of(ID, "late"));
        String json = encoding.write(parcel);

        assertThat(json)
                .isEqualTo("{\"id\":\"parcel_%s\",\"orders\":[\"order_%s\"],\"notes\":{\"order_%s\":\"late\"}}"
                        .formatted(ENCODED, ENCODED, ENCODED));
        assertThat(encoding.read(json, Parcel.class)).isEqualTo(parcel);
        assertThatThrownBy(() -> encoding.read(json.replace("parcel_", "order_"), Parcel.class))
                .isInstanceOf(refusal)
                .hasMessageContaining("begins with parcel_");
        assertThatThrownBy(() -> encoding.read(json.replace("{\"order_", "{\""), Parcel.class))
                .isInstanceOf(refusal)
                .hasMessageContaining("begins with order_");
    }

    static class Account {
        @SnowflakeId
        @PublicId
        public long id = ID;
    }

    @Test
    void anIdThatHibernateGeneratesMayBePublic() throws Exception {
        assertThat(encoding.write(new Account())).isEqualTo("{\"id\":\"" + ENCODED + "\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"382324861541810186\"", "\"k9_0000000000000\"", "\"\"", "\"k1_\"", "7", "1.5", "true"})
    void onlyPublicIdsAreReadAsPublicIds(String id) {
        assertThatThrownBy(() -> encoding.read("{\"id\":" + id + "}", Customer.class))
                .isInstanceOf(refusal)
                .hasMessageContaining("\"id\"");
        if (id.startsWith("\"")) {
            assertThatThrownBy(() -> encoding.read("{\"notes\":{" + id + ":\"\"}}", Customer.class))
                    .isInstanceOf(refusal);
        }
    }

    @Test
    void anotherTextSaysWhatAPublicIdIs() {
        assertThatThrownBy(() -> encoding.read("{\"id\":\"order\"}", Customer.class))
                .hasMessageContaining("a public id begins with the version of its key, for example k1_");
        assertThatThrownBy(() -> encoding.read("{\"id\":7}", Customer.class))
                .hasMessageContaining("a public id is a string like k1_ and 13 characters; send that string");
    }

    @Test
    void withoutKeysAnAttributeWithAPublicIdIsNeitherWrittenNorRead() {
        assertThatThrownBy(() -> mapper.write(new Account()))
                .hasMessageContaining("attribute 'id' has @PublicId, and the module has no keys to encode ids with")
                .hasMessageContaining("new IdgenModule().withPublicIds(");
        assertThatThrownBy(() -> mapper.read("{\"id\":\"1\"}", Account.class))
                .hasMessageContaining("the module has no keys");
    }

    // ---- annotations that would have no effect ----

    record PublicInt(@PublicId int id) {}

    record StringOfText(@IdAsString String id) {}

    record PublicValue(@PublicId OrderId id) {}

    record Maybe(@IdAsString OptionalLong id) {}

    record AnyNumber(@IdAsString Number id) {}

    record Wrapper(long id) {}

    record Inside(@IdAsString Wrapper wrapper) {}

    record AnnotatedValue(@JsonValue @IdAsString long value) {}

    @Test
    void anAnnotationOnTheValueOfATypeIsRefused() {
        assertThatThrownBy(() -> mapper.write(new AnnotatedValue(ID)))
                .hasMessageContaining("the @JsonValue of " + AnnotatedValue.class.getName())
                .hasMessageContaining("annotate the attributes of this type");
    }

    record Primitives(@IdAsString long[] ids) {}

    @Test
    void anAnnotationOnAnotherTypeIsRefused() {
        for (Object wrong : List.of(
                new PublicInt(1),
                new PublicValue(new OrderId(1)),
                new StringOfText(""),
                new Maybe(OptionalLong.of(ID)),
                new Inside(new Wrapper(1)),
                new AnyNumber(ID),
                new Primitives(new long[] {ID}))) {
            assertThatThrownBy(() -> encoding.write(wrong))
                    .hasMessageContaining(" of " + wrong.getClass().getName() + " has @")
                    .hasMessageContaining(" and the type ")
                    .hasMessageContaining("; change the type to long or Long");
        }
    }

    @Test
    void theModuleIsFoundOnTheClassPath() throws Exception {
        assertThat(found.write(new Order(ID, null, 3))).startsWith("{\"id\":\"382324861541810186\",");
    }

    @Test
    void aModuleWithKeysIsUsedInPlaceOfTheOneThatIsFound() throws Exception {
        assertThat(replaced.write(new Account())).isEqualTo("{\"id\":\"" + ENCODED + "\"}");
    }
}
