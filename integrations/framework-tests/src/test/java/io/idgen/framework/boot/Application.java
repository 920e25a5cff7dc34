package io.idgen.framework.boot;

import io.idgen.core.IdSource;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** An application as a user writes it. Tests change it only by properties. */
@SpringBootApplication(proxyBeanMethods = false)
public class Application {

    /** Saves a book and prints its id. Tests of ahead-of-time processing start it. */
    public static void main(String[] arguments) {
        try (var context = SpringApplication.run(Application.class, arguments)) {
            Book book = context.getBean(BookRepository.class).save(new Book("Middlemarch", 2));
            System.out.println("saved " + book.id());
        }
    }

    /** A source of ids from 1001, for tests that name this bean. */
    @Bean
    IdSource bookIds() {
        AtomicLong last = new AtomicLong(1000);
        return new IdSource() {
            @Override
            public long nextId() {
                return last.incrementAndGet();
            }

            @Override
            public void close() {}
        };
    }
}
