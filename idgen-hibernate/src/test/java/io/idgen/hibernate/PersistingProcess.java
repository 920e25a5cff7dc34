package io.idgen.hibernate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A separate application with a database and without settings of idgen. Persists when it receives input, and prints the
 * ids.
 */
final class PersistingProcess {
    static final String READY = "ready";

    private static final int TOGETHER = 10;

    private PersistingProcess() {}

    /**
     * Persists parents with their children, ten parents in a transaction. The arguments are the URL, the number of
     * parents, and the number of children of each parent.
     */
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
