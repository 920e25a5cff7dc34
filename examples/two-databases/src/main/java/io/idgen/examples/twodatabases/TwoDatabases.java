package io.idgen.examples.twodatabases;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import io.idgen.jdbc.SteppedDatabases;
import io.idgen.jdbc.schema.IdgenSchema;
import io.idgen.ops.Growth;
import io.idgen.ops.IdgenTables;
import java.io.PrintStream;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/**
 * Generates ids from two databases, and adds a third one while a process generates ids. The growth is killed once, and
 * started again. With databases in memory.
 */
public final class TwoDatabases {
    private static final int IDS = 10;
    private static final long ROOM = 50;

    private final List<DataSource> databases =
            Stream.generate(TwoDatabases::database).limit(3).toList();
    private final Set<Long> ids = ConcurrentHashMap.newKeySet();
    private final PrintStream out;

    /**
     * Creates three databases.
     *
     * @param out where to print
     */
    public TwoDatabases(PrintStream out) {
        this.out = out;
    }

    /**
     * Runs the example.
     *
     * @param args none
     */
    public static void main(String[] args) {
        new TwoDatabases(System.out).run();
    }

    private static DataSource database() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        return database;
    }

    private static IdSources sources(List<DataSource> databases) {
        return IdSources.builder()
                .set("idgen.strategy", "stepped")
                .set("idgen.jdbc.initialize-schema", "always")
                .set("idgen.sources.orders.start", "1")
                .resource(SteppedDatabases.class, new SteppedDatabases(databases))
                .build();
    }

    /**
     * Generates ids before, during and after the growth.
     *
     * @return all ids
     * @throws IllegalStateException if an id repeats
     */
    public Set<Long> run() {
        // the new database needs its table; a process with the new list must not have used it yet
        new IdgenSchema(databases.get(2)).create();
        try (IdSources two = sources(databases.subList(0, 2))) {
            IdSource old = two.get("orders");
            out.println("two databases:   " + draw(old));

            try {
                grow("killed:         ", 3);
            } catch (Killed e) {
                out.println("during growth:   " + draw(old));
            }
            grow("started again:  ", Integer.MAX_VALUE);

            try (IdSources three = sources(databases)) {
                out.println("three databases: " + draw(three.get("orders")));
                out.println("the old list:    " + draw(old));
                refusal(old);
            }
        }
        out.println(ids.size() + " ids, none repeats");
        return ids;
    }

    private Set<Long> draw(IdSource source) {
        Set<Long> drawn = new TreeSet<>();
        for (int i = 0; i < IDS; i++) {
            long id = source.nextId();
            drawn.add(id);
            if (!ids.add(id)) {
                throw new IllegalStateException("id " + id + " repeats");
            }
        }
        return drawn;
    }

    /** The old list ends at its limit. */
    private void refusal(IdSource old) {
        try {
            for (int i = 0; i < 2 * ROOM; i += IDS) {
                draw(old);
            }
            throw new IllegalStateException("the old list has no limit");
        } catch (IdGenerationException e) {
            out.println("the old list:    " + e.getMessage());
        }
    }

    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private void grow(String title, int changes) {
        int[] left = {changes};
        Growth.to(databases.stream().map(IdgenTables::new).toList())
                .withRoom(ROOM)
                .grow(change -> {
                    out.println(title + " " + change);
                    if (--left[0] == 0) {
                        throw new Killed();
                    }
                });
    }
}
