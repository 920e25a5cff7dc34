package io.idgen.cli.compare.contender;

import jakarta.persistence.ConstraintMode;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.ForeignKey;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.hibernate.HibernateException;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Parents with children in Hibernate, whose keys come from one of its generators or from the application. Hibernate
 * creates the tables. This class can be loaded only with Hibernate on the class path.
 */
public final class HibernateRows implements AutoCloseable {
    private final SessionFactory factory;
    private final Generation generation;
    private final boolean isUuid;

    /** Where keys come from. */
    public enum Generation {
        /** The application. */
        ASSIGNED(""),
        /** The insert. */
        IDENTITY("<generated-value strategy='IDENTITY'/>"),
        /** A sequence. */
        SEQUENCE("<generated-value strategy='SEQUENCE' generator='keys'/>"
                + "<sequence-generator name='keys' sequence-name='%shibernate_seq' allocation-size='50'/>"),
        /** A table. */
        TABLE("<generated-value strategy='TABLE' generator='keys'/>"
                + "<table-generator name='keys' table='%shibernate_gen' allocation-size='50'/>");

        private final String xml;

        Generation(String xml) {
            this.xml = xml;
        }
    }

    /** A row with its key and its text. */
    @MappedSuperclass
    abstract static class RowWithKey<K> {
        @Id
        @Nullable
        K id;

        @Nullable
        String text;
    }

    @Entity
    static class Parent extends RowWithKey<Long> {}

    @Entity
    static class Child extends RowWithKey<Long> {
        @ManyToOne(fetch = FetchType.LAZY)
        @JoinColumn(foreignKey = @ForeignKey(ConstraintMode.NO_CONSTRAINT))
        @Nullable
        Parent parent;
    }

    @Entity
    static class UuidParent extends RowWithKey<UUID> {}

    @Entity
    static class UuidChild extends RowWithKey<UUID> {
        @ManyToOne(fetch = FetchType.LAZY)
        @JoinColumn(foreignKey = @ForeignKey(ConstraintMode.NO_CONSTRAINT))
        @Nullable
        UuidParent parent;
    }

    /**
     * Builds a session factory.
     *
     * @param prefix the prefix of its tables and sequences
     * @param isUuid whether keys have 128 bits
     */
    public HibernateRows(DataSource dataSource, String prefix, Generation generation, boolean isUuid) {
        this.generation = generation;
        this.isUuid = isUuid;
        Class<?> parent = isUuid ? UuidParent.class : Parent.class;
        Class<?> child = isUuid ? UuidChild.class : Child.class;
        // JBoss Logging would write to java.util.logging, and so to the terminal
        System.setProperty("org.jboss.logging.provider", System.getProperty("org.jboss.logging.provider", "slf4j"));
        String xml = "<entity-mappings xmlns='https://jakarta.ee/xml/ns/persistence/orm' version='3.1'>"
                + "<mapped-superclass class='" + parent.getSuperclass().getName()
                + "' access='FIELD' metadata-complete='false'><attributes><id name='id'>"
                + String.format(generation.xml, prefix) + "</id></attributes></mapped-superclass>"
                + entity(parent, prefix + "parent'/>")
                + entity(child, prefix + "child'><index column-list='parent_id'/></table>")
                + "</entity-mappings>";
        try {
            Configuration configuration = new Configuration()
                    .addAnnotatedClasses(parent, child)
                    .addInputStream(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)))
                    .setProperty(AvailableSettings.HBM2DDL_AUTO, "update")
                    .setProperty(AvailableSettings.STATEMENT_BATCH_SIZE, 50)
                    .setProperty(AvailableSettings.ORDER_INSERTS, true);
            configuration.getProperties().put(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, dataSource);
            factory = configuration.buildSessionFactory();
        } catch (HibernateException e) {
            throw Contenders.failed("Hibernate", e);
        }
    }

    private static String entity(Class<?> type, String table) {
        return "<entity class='" + type.getName() + "' access='FIELD' metadata-complete='false'><table name='" + table
                + "</entity>";
    }

    /** Opens a generator of Hibernate. Each key costs a session, as in a request to a web application. */
    static Keys keys(Opening opening, Generation generation) {
        HibernateRows rows =
                new HibernateRows(opening.pool().dataSource(), opening.phase().prefix(), generation, false);
        Keys keys = new Keys() {
            @Override
            public void next(long[] into, int at) {
                try (Session session = rows.factory.openSession()) {
                    Parent parent = new Parent();
                    session.persist(parent); // without a transaction, the row is not inserted
                    into[at] = (Long) session.getIdentifier(parent);
                } catch (HibernateException e) {
                    throw Contenders.failed("Hibernate's generator", e);
                }
            }

            @Override
            public void close() {
                rows.close();
            }
        };
        keys.next(new long[1], 0); // two instances that begin together would insert the row of a TABLE generator twice
        return keys;
    }

    /**
     * Inserts parents with their children in one transaction.
     *
     * @param keys the keys of the application; not used if Hibernate generates them
     */
    public void insert(int parents, int children, Keys keys, Supplier<String> texts) {
        factory.inTransaction(session -> {
            for (int i = 0; i < parents; i++) {
                RowWithKey<?> parent = isUuid ? new UuidParent() : new Parent();
                persist(session, parent, keys, texts);
                for (int j = 0; j < children; j++) {
                    persist(session, child(parent), keys, texts);
                }
            }
        });
    }

    private static RowWithKey<?> child(RowWithKey<?> ofParent) {
        if (ofParent instanceof UuidParent parent) {
            UuidChild child = new UuidChild();
            child.parent = parent;
            return child;
        }
        Child child = new Child();
        child.parent = (Parent) ofParent;
        return child;
    }

    @SuppressWarnings("unchecked") // the row is of this kind
    private void persist(Session session, RowWithKey<?> row, Keys keys, Supplier<String> texts) {
        row.text = texts.get();
        if (generation == Generation.ASSIGNED) {
            long[] words = new long[2];
            keys.next(words, 0);
            ((RowWithKey<Object>) row).id = isUuid ? new UUID(words[0], words[1]) : (Long) words[0];
        }
        session.persist(row);
    }

    @Override
    public void close() {
        factory.close();
    }
}
