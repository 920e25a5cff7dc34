package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.jdbc.testing.Books;
import io.idgen.jdbc.testing.Database;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Old processes with a generator of Hibernate and new ones with idgen insert into a table and two children at once. See
 * {@link Books#OF_A_WRITER} for more rows, and {@link Run#KIND} for other databases.
 */
class OldGeneratorsTest {
    @MappedSuperclass
    static class FromATable {
        @Id
        @GeneratedValue(strategy = GenerationType.TABLE)
        Long id;
    }

    @Entity(name = "OldBook")
    @Table(name = "book")
    static class OldBook extends FromATable {}

    @Entity(name = "OldChapter")
    @Table(name = "chapter")
    static class OldChapter extends FromATable {
        @ManyToOne(optional = false)
        OldBook book;
    }

    @Entity(name = "OldReview")
    @Table(name = "review")
    static class OldReview extends FromATable {
        @ManyToOne(optional = false)
        OldBook book;
    }

    @MappedSuperclass
    static class FromIdgen {
        @Id
        @SnowflakeId
        Long id;
    }

    @Entity(name = "NewBook")
    @Table(name = "book")
    static class NewBook extends FromIdgen {}

    @Entity(name = "NewChapter")
    @Table(name = "chapter")
    static class NewChapter extends FromIdgen {
        @ManyToOne(optional = false)
        NewBook book;
    }

    @Entity(name = "NewReview")
    @Table(name = "review")
    static class NewReview extends FromIdgen {
        @ManyToOne(optional = false)
        NewBook book;
    }

    /** The entities of old and of new processes, with a sequence each and blocks of 50. */
    @MappedSuperclass
    static class FromASequence {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE)
        Long id;
    }

    @Entity(name = "Book")
    @Table(name = "book")
    static class Book extends FromASequence {}

    @Entity(name = "Chapter")
    @Table(name = "chapter")
    static class Chapter extends FromASequence {
        @ManyToOne(optional = false)
        Book book;
    }

    @Entity(name = "Review")
    @Table(name = "review")
    static class Review extends FromASequence {
        @ManyToOne(optional = false)
        Book book;
    }

    @AutoClose
    private final Database database = Run.createDatabase();

    private Unit.Builder numbersOfATable() {
        return unit(OldBook.class, OldChapter.class, OldReview.class);
    }

    private Unit.Builder snowflakes() {
        return unit(NewBook.class, NewChapter.class, NewReview.class);
    }

    private Unit.Builder numbersOfSequences() {
        return unit(Book.class, Chapter.class, Review.class);
    }

    private Unit.Builder readingAhead(Class<?> optimizer) {
        return numbersOfSequences().set(ReadAheadTest.PREFERRED, optimizer.getName());
    }

    private Unit.Builder unit(Class<?>... entities) {
        return Unit.of(entities).url(database.url()).set("hibernate.connection.pool_size", "20");
    }

    @Test
    void numbersOfATableAndSnowflakesAreInsertedAtOnceAndNoneRepeats() throws Exception {
        try (Unit oldOne = numbersOfATable().boot();
                Unit oldTwo = numbersOfATable().boot();
                Unit newOne = snowflakes().boot();
                Unit newTwo = snowflakes().boot()) {
            Books.insertAtOnce(
                    database.dataSource(),
                    List.of(
                            writer(oldOne, OldGeneratorsTest::oldBook),
                            writer(oldTwo, OldGeneratorsTest::oldBook),
                            writer(newOne, OldGeneratorsTest::newBook),
                            writer(newTwo, OldGeneratorsTest::newBook)));
        }
    }

    /** The control: small numbers above the largest id are those that old processes take next. */
    @Test
    void aSegmentTakesTheSameNumbersAsOldProcesses() {
        try (Unit old = numbersOfATable().boot()) {
            old.persist(oldBook());
            try (Unit segments = snowflakes().segments().boot()) {
                segments.persist(newBook());

                assertThatThrownBy(() -> old.persist(oldBook())).hasStackTraceContaining("ConstraintViolation");
            }
        }
    }

    @Point(47)
    @Test
    void besideProcessesWithHibernatesOptimizerNoNumberOfASequenceRepeats() throws Exception {
        try (Unit old = numbersOfSequences().boot();
                Unit newOne = readingAhead(ReadAheadOptimizer.class).boot();
                Unit newTwo = readingAhead(ReadAheadOptimizer.class).boot()) {
            List<List<Long>> books = Books.insertAtOnce(database.dataSource(), fourWritersEach(old, newOne, newTwo));

            assertThat(books).allSatisfy(ids -> assertThat(ids).isSorted());
        }
    }

    /** The control: with another meaning of the sequence, ids repeat. */
    @Point(47)
    @Test
    void besideAnOptimizerWithAnotherMeaningTheDatabaseRefusesIdsThatRepeat() {
        try (Unit old = numbersOfSequences().boot();
                Unit other = readingAhead(ReadAheadLoOptimizer.class).boot()) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 200; i++) {
                            old.persist(book());
                            other.persist(book());
                        }
                    })
                    .hasStackTraceContaining("ConstraintViolation");
        }
    }

    private static List<Callable<List<Long>>> fourWritersEach(Unit... units) {
        return Stream.of(units)
                .flatMap(unit -> Stream.generate(() -> writer(unit, OldGeneratorsTest::book))
                        .limit(4))
                .toList();
    }

    /** Persists each book with its children in a transaction, and returns the ids of the books in order. */
    private static Callable<List<Long>> writer(Unit unit, Supplier<Object[]> books) {
        return () -> {
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < Books.OF_A_WRITER; i++) {
                Object[] bookAndChildren = books.get();
                unit.persist(bookAndChildren);
                ids.add((Long) unit.factory().getPersistenceUnitUtil().getIdentifier(bookAndChildren[0]));
            }
            return ids;
        };
    }

    private static Object[] oldBook() {
        OldBook book = new OldBook();
        OldChapter chapter = new OldChapter();
        chapter.book = book;
        OldReview review = new OldReview();
        review.book = book;
        return new Object[] {book, chapter, review};
    }

    private static Object[] newBook() {
        NewBook book = new NewBook();
        NewChapter chapter = new NewChapter();
        chapter.book = book;
        NewReview review = new NewReview();
        review.book = book;
        return new Object[] {book, chapter, review};
    }

    private static Object[] book() {
        Book book = new Book();
        Chapter chapter = new Chapter();
        chapter.book = book;
        Review review = new Review();
        review.book = book;
        return new Object[] {book, chapter, review};
    }
}
