package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.jdbc.testing.Database;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.function.Supplier;
import org.hibernate.SessionFactory;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.BootstrapServiceRegistryBuilder;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.bytecode.enhance.spi.DefaultEnhancementContext;
import org.hibernate.bytecode.internal.BytecodeProviderInitiator;
import org.hibernate.engine.spi.PersistentAttributeInterceptable;
import org.junit.jupiter.api.Test;

/** Tests entities whose byte code Hibernate has enhanced: lazy attributes, dirty tracking. */
class EnhancedTest {

    /** Defines the enhanced form of one class, and delegates all other classes to the parent loader. */
    private static final class Enhancing extends ClassLoader {
        private final String name;

        Enhancing(Class<?> type) {
            super(type.getClassLoader());
            this.name = type.getName();
        }

        @Override
        protected Class<?> loadClass(String asked, boolean resolve) throws ClassNotFoundException {
            if (!asked.equals(name)) {
                return super.loadClass(asked, resolve);
            }
            Class<?> loaded = findLoadedClass(asked);
            return loaded == null ? define() : loaded;
        }

        private Class<?> define() {
            String file = name.replace('.', '/') + ".class";
            try (InputStream in = Objects.requireNonNull(getParent().getResourceAsStream(file))) {
                byte[] enhanced = BytecodeProviderInitiator.buildDefaultBytecodeProvider()
                        .getEnhancer(new DefaultEnhancementContext())
                        .enhance(name, in.readAllBytes());
                return defineClass(name, enhanced, 0, enhanced.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void anEnhancedEntityGetsItsValuesAndIsFoundAgain() throws Exception {
        ClassLoader loader = new Enhancing(Enhanced.class);
        Class<?> type = loader.loadClass(Enhanced.class.getName());
        try (Database database = Run.createDatabase();
                SessionFactory factory = new MetadataSources(
                                new StandardServiceRegistryBuilder(new BootstrapServiceRegistryBuilder()
                                                .applyClassLoader(loader)
                                                .build())
                                        .applySetting("jakarta.persistence.jdbc.url", database.url())
                                        .applySetting("hibernate.hbm2ddl.auto", "update")
                                        .applySetting("idgen.worker.assigner", "single-process")
                                        .build())
                        .addAnnotatedClass(type)
                        .buildMetadata()
                        .buildSessionFactory()) {
            Object entity = type.getConstructor().newInstance();
            assertThat(entity).isInstanceOf(PersistentAttributeInterceptable.class);

            factory.inTransaction(session -> session.persist(entity));
            Object id = ((Supplier<?>) entity).get();
            assertThat((Long) id).isGreaterThan(1L << 40);
            factory.inTransaction(session -> ((Runnable) session.find(type, id)).run());
            factory.inTransaction(
                    session -> assertThat(session.find(type, id)).asString().matches("changed \\d{15,}"));
        }
    }
}
