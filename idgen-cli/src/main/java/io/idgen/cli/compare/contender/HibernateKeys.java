package io.idgen.cli.compare.contender;

import io.hypersistence.utils.hibernate.id.Tsid;
import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import jakarta.persistence.TableGenerator;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.hibernate.HibernateException;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * Ids from Hibernate's generators. Each id costs a session, as in a request to a web application. Only IDENTITY inserts
 * the row.
 */
final class HibernateKeys implements Keys {
    private final SessionFactory factory;
    private final Supplier<?> maker;
    private final boolean inserts;

    private HibernateKeys(SessionFactory factory, Supplier<?> maker, boolean inserts) {
        this.factory = factory;
        this.maker = maker;
        this.inserts = inserts;
    }

    /** An entity with IDENTITY. */
    @Entity
    @Table(name = "hib_identity")
    static class IdentityRow {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        private long id;
    }

    /** An entity with SEQUENCE. */
    @Entity
    @Table(name = "hib_sequence")
    static class SequenceRow {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "hib_seq")
        @SequenceGenerator(name = "hib_seq", sequenceName = "hib_seq", allocationSize = HibernateContender.INCREMENT)
        private long id;
    }

    /** An entity with TABLE. */
    @Entity
    @Table(name = "hib_table")
    static class TableRow {
        @Id
        @GeneratedValue(strategy = GenerationType.TABLE, generator = "hib_gen")
        @TableGenerator(
                name = "hib_gen",
                table = "hib_gen",
                pkColumnName = "sequence_name",
                valueColumnName = "next_val",
                allocationSize = HibernateContender.INCREMENT)
        private long id;
    }

    /** An entity with {@code @Tsid}. */
    @Entity
    @Table(name = "hib_tsid")
    static class TsidRow {
        @Id
        @Tsid
        private @Nullable Long id;
    }

    /** Puts the prefix of the comparison and the phase before all names of tables and sequences. */
    private static final class Prefixed extends PhysicalNamingStrategySnakeCaseImpl {
        private static final long serialVersionUID = 1;
        private final String prefix;

        Prefixed(String prefix) {
            this.prefix = prefix;
        }

        @Override
        public Identifier toPhysicalTableName(Identifier name, JdbcEnvironment environment) {
            return Identifier.toIdentifier(prefix + name.getText());
        }

        @Override
        public Identifier toPhysicalSequenceName(Identifier name, JdbcEnvironment environment) {
            return Identifier.toIdentifier(prefix + name.getText());
        }
    }

    /** Builds a session factory for one entity. */
    static Keys open(String entity, String prefix, DataSource dataSource) {
        // JBoss Logging would write to java.util.logging, and so to the terminal
        System.setProperty("org.jboss.logging.provider", System.getProperty("org.jboss.logging.provider", "slf4j"));
        StandardServiceRegistry registry = new StandardServiceRegistryBuilder()
                .applySetting(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, dataSource)
                .applySetting(AvailableSettings.PHYSICAL_NAMING_STRATEGY, new Prefixed(prefix))
                .build();
        try {
            MetadataSources sources = new MetadataSources(registry);
            Supplier<?> maker = switch (entity) {
                case "IdentityRow" -> IdentityRow::new;
                case "SequenceRow" -> SequenceRow::new;
                case "TableRow" -> TableRow::new;
                default -> TsidRow::new;
            };
            SessionFactory factory = sources.addAnnotatedClass(maker.get().getClass())
                    .buildMetadata()
                    .buildSessionFactory();
            HibernateKeys keys = new HibernateKeys(factory, maker, entity.equals("IdentityRow"));
            if (entity.equals("TableRow")) {
                // two factories that begin at the same time would insert the row of a TABLE generator twice
                keys.next(new long[1], 0);
            }
            return keys;
        } catch (HibernateException e) {
            StandardServiceRegistryBuilder.destroy(registry);
            throw failed(e);
        }
    }

    private static IdGenerationException failed(HibernateException e) {
        return new IdGenerationException(
                ErrorCode.DATABASE_FAILED, "no id, because Hibernate's generator failed: " + e.getMessage(), e);
    }

    @Override
    public void next(long[] into, int at) {
        Object row = maker.get();
        try (Session session = factory.openSession()) {
            if (inserts) {
                session.beginTransaction();
                session.persist(row);
                session.getTransaction().commit();
            } else {
                session.persist(row); // without a transaction, the row is not inserted
            }
            into[at] = (Long) session.getIdentifier(row);
        } catch (HibernateException e) {
            throw failed(e);
        }
    }

    @Override
    public void close() {
        factory.close();
    }
}
