package io.idgen.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.core.MybatisConfiguration;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import com.baomidou.mybatisplus.core.toolkit.IdWorker;
import com.baomidou.mybatisplus.spring.MybatisSqlSessionFactoryBean;
import io.idgen.core.ConfigurationException;
import io.idgen.core.SnowflakeSnapshot;
import io.idgen.core.config.IdSources;
import io.idgen.core.config.SourceBinder;
import io.idgen.jdbc.testing.Database;
import io.idgen.jdbc.testing.TestDatabase;
import io.idgen.spring.boot.warehouse.Item;
import io.idgen.spring.boot.warehouse.Items;
import io.idgen.spring.boot.warehouse.Shelf;
import io.idgen.spring.boot.warehouse.Shelves;
import io.idgen.spring.boot.warehouse.Warehouse;
import io.idgen.spring.data.FromIdSource;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.apache.ibatis.builder.MapperBuilderAssistant;
import org.apache.ibatis.session.SqlSessionFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

class MybatisPlusIdsTest {
    /** Without application.properties, which excludes MyBatis-Plus. */
    static final String[] WITH_MYBATIS = {
        "spring.config.name=none",
        "spring.autoconfigure.exclude=org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration"
    };

    private static final String SEGMENT = "idgen.strategy=segment";

    @AutoClose
    private final Database h2 = TestDatabase.H2.create();

    private final JdbcTemplate jdbc = new JdbcTemplate(h2.dataSource());

    @BeforeEach
    void tables() {
        jdbc.execute("CREATE TABLE stock (item_id bigint PRIMARY KEY, name varchar(100))");
        jdbc.execute("CREATE TABLE shelf (id int PRIMARY KEY)");
    }

    private ConfigurableApplicationContext start(String... settings) {
        return Application.start(Warehouse.class, h2, Application.with(settings, WITH_MYBATIS));
    }

    @Test
    void anEntityGetsItsIdFromTheSourceOfItsTable() {
        try (ConfigurableApplicationContext warehouse = start()) {
            Item item = new Item("lamp");
            warehouse.getBean(Items.class).insert(item);

            assertThat(jdbc.queryForList("SELECT item_id FROM stock", Long.class))
                    .containsExactly(item.id);
            assertThat(warehouse.getBean(IdSources.class).snapshots().get("stock"))
                    .isInstanceOf(SnowflakeSnapshot.class);
        }
    }

    @Test
    void idsOfATableBeginAboveItsRows() {
        jdbc.execute("INSERT INTO stock VALUES (41, 'chair')");
        try (ConfigurableApplicationContext warehouse = start(SEGMENT)) {
            List<Item> items = List.of(new Item("lamp"), new Item("table"));
            warehouse.getBean(Items.class).insert(items);

            assertThat(items).extracting(item -> item.id).containsExactly(42L, 43L);
        }
    }

    @Test
    void anEntityWithAnIdKeepsIt() {
        try (ConfigurableApplicationContext warehouse = start()) {
            Item item = new Item("lamp");
            item.id = 7L;
            warehouse.getBean(Items.class).insert(item);

            assertThat(jdbc.queryForList("SELECT item_id FROM stock", Long.class))
                    .containsExactly(7L);
        }
    }

    @Test
    void anIdOfZeroIsNotSet() {
        try (ConfigurableApplicationContext warehouse = start(SEGMENT)) {
            Item item = new Item("lamp");
            item.id = 0L;
            warehouse.getBean(Items.class).insert(item);

            assertThat(item.id).isOne();
        }
    }

    /** A factory of the application. */
    static class OwnFactory {
        @Bean
        SqlSessionFactory sqlSessionFactory(DataSource dataSource) throws Exception {
            MybatisSqlSessionFactoryBean factory = new MybatisSqlSessionFactoryBean();
            factory.setDataSource(dataSource);
            return Objects.requireNonNull(factory.getObject());
        }
    }

    @Test
    void aFactoryOfTheApplicationUsesItToo() {
        SpringApplicationBuilder application = new SpringApplicationBuilder(Warehouse.class, OwnFactory.class);
        try (ConfigurableApplicationContext warehouse =
                Application.start(application, h2, Application.with(new String[] {SEGMENT}, WITH_MYBATIS))) {
            Item item = new Item("lamp");
            warehouse.getBean(Items.class).insert(item);

            assertThat(item.id).isOne();
        }
    }

    @Test
    void anAttributeThatIsTooNarrowIsRefusedInsteadOfCuttingItsIds() {
        try (ConfigurableApplicationContext warehouse = start()) {
            assertThatThrownBy(() -> warehouse.getBean(Shelves.class).insert(new Shelf()))
                    .hasRootCauseInstanceOf(ConfigurationException.class)
                    .rootCause()
                    .hasMessageContainingAll(
                            "the id of " + Shelf.class.getName() + " is an Integer",
                            "idgen.sources.shelf.strategy=segment");
            assertThat(jdbc.queryForList("SELECT id FROM shelf", Long.class)).isEmpty();
        }
    }

    @Test
    void anAttributeMayBeNarrowIfItsIdsFit() {
        try (ConfigurableApplicationContext warehouse = start("idgen.sources.shelf.strategy=segment")) {
            Shelf shelf = new Shelf();
            warehouse.getBean(Shelves.class).insert(shelf);

            assertThat(shelf.id).isEqualTo(1);
        }
    }

    @Test
    void aSettingThatNamesAnEntityIsRefusedWithItsTable() {
        assertThatThrownBy(() -> start("idgen.sources.Item.strategy=segment"))
                .hasMessageContaining("Item is an entity; write its table: idgen.sources.stock.…");
    }

    /** A generator of the application. */
    static class Sevens implements IdentifierGenerator {
        @Override
        public Number nextId(Object entity) {
            return 7L;
        }
    }

    @Test
    void aGeneratorOfTheApplicationReplacesThatOfIdgen() {
        SpringApplicationBuilder application = new SpringApplicationBuilder(Warehouse.class, Sevens.class);
        try (ConfigurableApplicationContext warehouse = Application.start(application, h2, WITH_MYBATIS)) {
            Item item = new Item("lamp");
            warehouse.getBean(Items.class).insert(item);

            assertThat(item.id).isEqualTo(7);
        }
    }

    @Test
    void idWorkerHasASourceOfItsOwnName() {
        try (ConfigurableApplicationContext warehouse = start()) {
            warehouse.getBean(Items.class); // creating the mappers configures MyBatis-Plus

            assertThat(IdWorker.getId()).isPositive();
            assertThat(warehouse.getBean(IdSources.class).snapshots()).containsKey("IdWorker");
        }
    }

    static class Annotated {
        @TableId
        Long id;

        @FromIdSource
        Long number;
    }

    @Test
    void anAnnotationThatMybatisPlusDoesNotReadIsRefused() {
        TableInfoHelper.initTableInfo(new MapperBuilderAssistant(new MybatisConfiguration(), ""), Annotated.class);
        try {
            MybatisPlusIds ids = new MybatisPlusIds(SourceBinder.of(IdSources.builder()));
            assertThatThrownBy(ids::sourceByEntity)
                    .hasMessageStartingWith("IDGEN-504: an annotation of idgen is on " + Annotated.class.getName()
                            + ".number, and MyBatis-Plus does not read it");
        } finally {
            TableInfoHelper.remove(Annotated.class);
        }
    }
}
