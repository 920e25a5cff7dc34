package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.MybatisConfiguration;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import io.idgen.core.ConfigurationException;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.SourceBinder;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.data.FromIdSource;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;
import javax.sql.DataSource;
import org.apache.ibatis.builder.MapperBuilderAssistant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.jdbc.core.JdbcTemplate;

/** A source has the name of the table that it fills, whatever the classes are called. */
class SourceNamesTest {
    @AutoClose
    private final Database h2 = TestDatabase.H2.create();

    private final SourceBinder binder = SourceBinder.of(IdSources.builder()
            .set("idgen.strategy", "segment")
            .set("idgen.jdbc.initialize-schema", "always")
            .resource(DataSource.class, h2.dataSource()));

    @AutoClose
    private final IdSources sources = binder.sources();

    @BeforeEach
    void tables() {
        JdbcTemplate jdbc = new JdbcTemplate(h2.dataSource());
        jdbc.execute("CREATE SCHEMA shop");
        jdbc.execute("CREATE TABLE purchase_order (id bigint PRIMARY KEY)");
        jdbc.execute("CREATE TABLE shop.purchase_order (id bigint PRIMARY KEY)");
        jdbc.execute("INSERT INTO shop.purchase_order VALUES (70)");
    }

    abstract static class WithId {
        @Id
        @FromIdSource
        @TableId
        @Nullable
        Long id;
    }

    @Table("purchase_order")
    @TableName("purchase_order")
    static class Order extends WithId {}

    @Table("Purchase_Order")
    @TableName("`Purchase_Order`")
    static class Purchase extends WithId {}

    static class Shop {
        @Table(name = "purchase_order", schema = "shop")
        @TableName(value = "purchase_order", schema = "shop")
        static class Order extends WithId {}
    }

    /** Returns the ids of new entities, as a framework asks for them. */
    private ToLongFunction<WithId> ids(String framework) {
        if (framework.equals("MyBatis-Plus")) {
            MybatisPlusIds ids = new MybatisPlusIds(binder);
            return entity -> {
                TableInfoHelper.initTableInfo(
                        new MapperBuilderAssistant(new MybatisConfiguration(), ""), entity.getClass());
                return ids.nextId(entity).longValue();
            };
        }
        AggregateIds ids = new AggregateIds(binder, new RelationalMappingContext());
        return entity -> Objects.requireNonNull(((WithId) ids.onBeforeConvert(entity)).id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"MyBatis-Plus", "Spring Data JDBC"})
    void twoClassesOfOneSimpleNameHaveTheSourcesOfTheirTablesAndTwoOfOneTableShareIts(String framework) {
        ToLongFunction<WithId> ids = ids(framework);

        assertThat(ids.applyAsLong(new Order())).isEqualTo(1);
        assertThat(ids.applyAsLong(new Shop.Order())).isEqualTo(71);
        assertThat(ids.applyAsLong(new Purchase())).isEqualTo(2);
        assertThat(ids.applyAsLong(new Order())).isEqualTo(3);
        assertThat(sources.names()).containsExactly("purchase_order", "shop.purchase_order");
    }

    @Table("purchase_order")
    static class Archived {
        @Id
        @FromIdSource("archive")
        @Nullable
        Long id;
    }

    @Test
    void twoNamesForOneColumnAreRefusedWhenTheApplicationStarts() {
        RelationalMappingContext mapping = new RelationalMappingContext();
        mapping.setInitialEntitySet(Set.of(Order.class, Archived.class));
        mapping.initialize();

        assertThatThrownBy(() -> new AggregateIds(binder, mapping).sourceByEntity())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("are for one column, purchase_order.id, and would generate equal ids");
    }
}
