package io.idgen.hibernate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * An application of its own with a database and no settings of idgen: persists when it is told to, and says the ids.
 */
final class PersistingProcess {
    static final String READY = "ready";

    private static final int TOGETHER = 10;

    private PersistingProcess() {}

    /** Persists so many parents with so many children each at a URL, ten parents in a transaction. */
    public static void main(String[] arguments) throws IOException {
        int parents = Integer.parseInt(arguments[1]);
        int children = Integer.parseInt(arguments[2]);
        List<Long> ids = new ArrayList<>();
        try (Unit unit = Unit.of(Parent.class, Child.class)
                .url(arguments[0])
                .set("hibernate.hbm2ddl.auto", "none")
                .boot()) {
            System.out.println(READY);
            System.in.read();
            for (int i = 0; i < parents; i += TOGETHER) {
                Parent[] some = Stream.generate(() -> new Parent(children))
                        .limit(TOGETHER)
                        .toArray(Parent[]::new);
                unit.persist((Object[]) some);
                for (Parent parent : some) {
                    ids.add(parent.id);
                    parent.children.forEach(child -> ids.add(child.id));
                }
            }
        }
        ids.forEach(System.out::println);
    }
}
