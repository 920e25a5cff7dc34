package library;

import io.idgen.core.config.IdSources;
import io.micronaut.context.ApplicationContext;

public class MicronautLibrary {

    public static void main(String[] args) {
        try (ApplicationContext context = ApplicationContext.run()) {
            Book book = new Book();
            book.setTitle("Middlemarch");
            context.getBean(Books.class).save(book);
            System.out.println("saved book " + book.getId());
            long id = context.getBean(IdSources.class).get("chapters").nextId();
            context.getBean(Chapters.class).save(new Chapter(id, book.getId()));
            System.out.println("saved chapter " + id);
        }
    }
}
