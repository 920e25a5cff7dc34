package io.idgen.spring.boot;

import io.idgen.core.IdSource;
import io.idgen.hibernate.EntityIds;
import io.idgen.spring.boot.shop.Book;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** A process with idgen and Hibernate and without Spring Boot. Prints ids of {@link Book}. */
final class PlainHibernateProcess {
    private PlainHibernateProcess() {}

    /** The arguments are the URL, the default schema of Hibernate, and the number of ids. */
    public static void main(String[] arguments) {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Book.class)
                .setProperty("jakarta.persistence.jdbc.url", arguments[0])
                .setProperty("hibernate.default_schema", arguments[1])
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty("idgen.strategy", "segment")
                .setProperty("idgen.acquire-timeout", "1m");
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            IdSource books = EntityIds.of(factory, "book");
            for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
                System.out.println(books.nextId());
            }
        }
    }
}
