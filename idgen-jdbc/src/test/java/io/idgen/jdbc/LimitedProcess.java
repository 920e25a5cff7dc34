package io.idgen.jdbc;

import io.idgen.core.IdGenerationException;
import io.idgen.core.IdSource;
import io.idgen.core.IdUnavailableException;
import io.idgen.core.config.IdSources;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.Set;

/**
 * Generates ids until its host allows it no new thread, and again afterwards. Prints how many ids repeat, and how many
 * calls fail once there are threads.
 */
final class LimitedProcess {
    private static final int IDS = 1_000;

    private final Map<IdSource, Set<Long>> taken = new HashMap<>();
    private int repeated;

    private LimitedProcess() {}

    public static void main(String[] args) throws Exception {
        new LimitedProcess().run(new Scanner(System.in));
    }

    private void run(Scanner words) throws Exception {
        try (IdSources sources = IdSources.builder()
                .set("idgen.jdbc.url", "jdbc:h2:mem:limited;DB_CLOSE_DELAY=-1")
                .set("idgen.jdbc.initialize-schema", "always")
                .set("idgen.strategy", "segment")
                .set("idgen.acquire-timeout", "200ms")
                .set("idgen.sources.orders.start", "1")
                .set("idgen.sources.items.start", "1")
                .source("orders")
                .source("items")
                .build()) {
            List<IdSource> tables = List.of(sources.get("orders"), sources.get("items"));
            for (IdSource table : tables) {
                goOn(table);
            }
            awaitIdleThreads();
            say("idle");
            words.nextLine();
            for (IdSource table : tables) {
                starve(table);
            }
            say("starved");
            words.nextLine();
            say("repeated " + repeated + ", failed "
                    + tables.stream().mapToInt(this::goOn).sum());
        }
    }

    private void take(IdSource table, int ids) {
        for (int i = 0; i < ids; i++) {
            if (!taken.computeIfAbsent(table, any -> new HashSet<>()).add(table.nextId())) {
                repeated++;
            }
        }
    }

    /** Waits until the threads of the refills have ended, so that the next refill needs a new one. */
    private static void awaitIdleThreads() throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("idgen-refill")) {
                thread.join();
            }
        }
    }

    private void starve(IdSource table) {
        for (int refused = 0; refused < 5; ) {
            try {
                take(table, 1);
            } catch (IdUnavailableException e) {
                refused++;
            }
        }
    }

    /** Takes ids as soon as the first one comes. Returns how many calls fail afterwards, at most one. */
    private int goOn(IdSource table) {
        for (int attempt = 0; attempt < 50; attempt++) {
            try {
                take(table, 1);
                break;
            } catch (IdUnavailableException e) {
                say("not yet: " + e.getMessage());
            }
        }
        try {
            take(table, IDS);
            return 0;
        } catch (IdGenerationException e) {
            say(e.getMessage());
            return 1;
        }
    }

    private static void say(String line) {
        System.out.println(line);
    }
}
