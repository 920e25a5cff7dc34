package io.idgen.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import io.idgen.hibernate.SnowflakeId.Preset;
import io.idgen.jdbc.testing.Database;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityExistsException;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.Version;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests a part of a composite id that the application has set itself. It is treated as an id of one attribute. */
class CompositeIdTest {
    @AutoClose
    private final Database database = Run.createDatabase();

    /** An entity with two parts in its id: idgen generates {@code line}, and the application sets {@code tenant}. */
    private interface Line {
        /** Sets both parts; 0 leaves the line unset. */
        void set(long line, long tenant);

        /** Returns the line; 0 if it is unset. */
        long line();
    }

    @Embeddable
    static class Key implements Serializable {
        private static final long serialVersionUID = 1L;

        @SnowflakeId
        @Nullable
        Long line;

        long tenant;

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key && Objects.equals(key.line, line) && key.tenant == tenant;
        }

        @Override
        public int hashCode() {
            return Objects.hash(line, tenant);
        }
    }

    @Entity(name = "EmbeddedLine")
    static class EmbeddedLine implements Line {
        @EmbeddedId
        Key id = new Key();

        @Override
        public void set(long line, long tenant) {
            id.line = line == 0 ? null : line;
            id.tenant = tenant;
        }

        @Override
        public long line() {
            return id.line == null ? 0 : id.line;
        }
    }

    @Entity(name = "VersionedLine")
    static class VersionedLine implements Line {
        @EmbeddedId
        Key id = new Key();

        @Version
        @Nullable
        Long version;

        @Override
        public void set(long line, long tenant) {
            id.line = line == 0 ? null : line;
            id.tenant = tenant;
        }

        @Override
        public long line() {
            return id.line == null ? 0 : id.line;
        }
    }

    @Embeddable
    record RecordKey(@SnowflakeId long line, long tenant) implements Serializable {}

    @Entity(name = "RecordLine")
    static class RecordLine implements Line {
        @EmbeddedId
        RecordKey id = new RecordKey(0, 0);

        @Override
        public void set(long line, long tenant) {
            id = new RecordKey(line, tenant);
        }

        @Override
        public long line() {
            return id.line;
        }
    }

    record ClassKey(Long line, Long tenant) implements Serializable {}

    @Entity(name = "ClassLine")
    @IdClass(ClassKey.class)
    static class ClassLine implements Line {
        @Id
        @SnowflakeId
        @Nullable
        Long line;

        @Id
        @Nullable
        Long tenant;

        @Override
        public void set(long line, long tenant) {
            this.line = line == 0 ? null : line;
            this.tenant = tenant;
        }

        @Override
        public long line() {
            return line == null ? 0 : line;
        }
    }

    @Embeddable
    record KeptKey(@SnowflakeId(preset = Preset.KEEP) Long line, long tenant) implements Serializable {}

    @Entity(name = "KeptLine")
    static class KeptLine implements Line {
        @EmbeddedId
        KeptKey id = new KeptKey(null, 0);

        @Override
        public void set(long line, long tenant) {
            id = new KeptKey(line == 0 ? null : line, tenant);
        }

        @Override
        public long line() {
            return id.line == null ? 0 : id.line;
        }
    }

    private static List<Supplier<Line>> lines() {
        return List.of(EmbeddedLine::new, VersionedLine::new, RecordLine::new, ClassLine::new);
    }

    private Unit boot() {
        return Unit.of(lines().stream().map(line -> line.get().getClass()).toArray(Class<?>[]::new))
                .on(database)
                .boot();
    }

    private static Line line(Supplier<Line> kind, long line) {
        Line entity = kind.get();
        entity.set(line, 7);
        return entity;
    }

    private static long count(Unit unit, Line entity) {
        return unit.count(entity.getClass().getSimpleName());
    }

    @Test
    void persistRefusesAPartThatIsSetAndInsertsNoSecondRowOfADetachedEntity() {
        try (Unit unit = boot()) {
            for (Supplier<Line> kind : lines()) {
                Line detached = line(kind, 0);
                unit.persist(detached);
                long first = detached.line();
                Line preset = line(kind, 4711);

                assertThatThrownBy(() -> unit.persist(detached)).isInstanceOf(EntityExistsException.class);
                assertThatThrownBy(() -> unit.persist(preset))
                        .isInstanceOf(EntityExistsException.class)
                        .hasMessageMatching(
                                "IDGEN-502: " + Pattern.quote(preset.getClass().getName())
                                        + " has (id\\.line|line) 4711 before its insert, but idgen generates the ids; .*leave"
                                        + " (id\\.line|line) unset, call merge\\(\\) if its row exists, or keep such ids with"
                                        + " @SnowflakeId\\(preset = KEEP\\)");

                assertThat(detached.line()).isEqualTo(first).isPositive();
                assertThat(preset.line()).isEqualTo(4711);
                assertThat(count(unit, preset)).isOne();
            }
        }
    }

    @Test
    void mergeRefusesAPartThatIsSetIfNoRowHasIt() {
        try (Unit unit = boot()) {
            for (Supplier<Line> kind : lines()) {
                Line detached = line(kind, 0);
                unit.persist(detached);
                Line preset = line(kind, 4711);

                assertThatThrownBy(() -> unit.inTransaction(session -> session.merge(preset)))
                        .isInstanceOf(OptimisticLockException.class)
                        .hasMessageContaining("IDGEN-502: " + preset.getClass().getName())
                        .hasMessageContaining(
                                "line 4711 before its insert, but idgen generates the ids; its row does not exist");
                unit.inTransaction(
                        session -> assertThat(session.merge(detached).line()).isEqualTo(detached.line()));
                assertThat(count(unit, preset)).isOne();

                unit.inTransaction(session ->
                        assertThat(session.merge(line(kind, 0)).line()).isPositive());
                assertThat(count(unit, preset)).isEqualTo(2);
            }
        }
    }

    @Test
    void aStatelessInsertRefusesAPartThatIsSet() {
        try (Unit unit = boot()) {
            for (Supplier<Line> kind : lines()) {
                Line preset = line(kind, 4711);
                assertThatThrownBy(() -> unit.insertStateless(preset))
                        .isInstanceOfSatisfying(
                                IdGenerationException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.PRESET_ID))
                        .hasMessageContaining("line 4711 before its insert");
                assertThat(count(unit, preset)).isZero();

                Line unset = line(kind, 0);
                unit.insertStateless(unset);
                assertThat(unset.line()).isPositive();
            }
        }
    }

    @Test
    void aPartThatIsSetIsKeptOnRequest() {
        try (Unit unit = Unit.of(KeptLine.class).on(database).boot()) {
            unit.persist(line(KeptLine::new, 91));
            unit.inTransaction(session -> session.merge(line(KeptLine::new, 92)));
            unit.insertStateless(line(KeptLine::new, 93));
            Line unset = line(KeptLine::new, 0);
            unit.persist(unset);

            for (long line : new long[] {91, 92, 93, unset.line()}) {
                assertThat(unit.read(KeptLine.class, new KeptKey(line, 7))).isNotNull();
            }
            assertThat(unset.line()).isGreaterThan(93);
        }
    }
}
