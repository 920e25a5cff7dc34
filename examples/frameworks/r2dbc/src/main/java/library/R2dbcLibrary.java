package library;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class R2dbcLibrary {

    public static void main(String[] args) {
        SpringApplication.run(R2dbcLibrary.class, args).close();
    }

    @Bean
    ApplicationRunner firstBook(Books books) {
        return arguments -> System.out.println("saved book "
                + books.save(new Book(null, "Middlemarch")).block().id());
    }
}
