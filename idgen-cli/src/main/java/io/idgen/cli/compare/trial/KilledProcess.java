package io.idgen.cli.compare.trial;

import io.idgen.cli.compare.contender.Contender;
import io.idgen.cli.compare.contender.Contenders;
import io.idgen.cli.compare.contender.Keys;
import io.idgen.cli.compare.database.Bench;
import io.idgen.cli.compare.database.Bench.Access;
import io.idgen.cli.compare.database.CountingPool;
import io.idgen.cli.compare.database.Phase;
import io.idgen.core.IdgenListener;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.json.JsonMapper;

/**
 * A child process that generates ids with each strategy, reports them, and waits to be killed. It reads its input from
 * standard input, because every user of the machine could read its arguments.
 */
final class KilledProcess {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int ROUNDS = 19;

    /** The input of the process. */
    record Orders(Access database, String prefix, Map<String, String> settings, List<String> strategies) {}

    /**
     * The ids of a strategy.
     *
     * @param firstMillis the time from opening the source to the first id
     * @param ids the ids as text, because JSON numbers lose digits in JavaScript
     * @param failure why there are no ids; empty if there are
     */
    record Drawn(double firstMillis, List<String> ids, String failure) {}

    /** The output of the process. */
    record Report(Map<String, Drawn> drawn) {}

    private KilledProcess() {}

    /** Reports the ids, then waits to be killed. */
    public static void main(String[] args) throws IOException {
        PrintStream out = System.out;
        String orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        out.println(JSON.writeValueAsString(draw(JSON.readValue(orders, Orders.class))));
        out.flush();
        if (System.in.read() < 0) { // the parent process has ended
            Runtime.getRuntime().halt(0);
        }
    }

    private static Report draw(Orders orders) {
        CountingPool pool = new CountingPool(
                orders.database().connections(),
                orders.strategies().size() + 2,
                orders.prefix(),
                Bench.settings(orders.prefix(), orders.settings()));
        Map<String, Drawn> drawn = new LinkedHashMap<>();
        Map<List<String>, Keys> open = new IdentityHashMap<>();
        for (Contender contender : Contenders.named(orders.strategies(), orders.settings())) {
            long before = System.nanoTime();
            List<String> ids = new ArrayList<>();
            try {
                Keys keys = contender.open(new Contender.Opening(pool, Phase.RESTART, 0, 1, IdgenListener.NONE));
                ids.add(next(keys));
                open.put(ids, keys);
                drawn.put(contender.name(), new Drawn((System.nanoTime() - before) / 1e6, ids, ""));
            } catch (RuntimeException e) {
                drawn.put(contender.name(), new Drawn(0, ids, String.valueOf(e.getMessage())));
            }
        }
        for (int round = 0; round < ROUNDS; round++) {
            open.forEach((ids, keys) -> {
                for (int i = 0; i < Plan.IDS_PER_LIFE / ROUNDS; i++) {
                    ids.add(next(keys));
                }
            });
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        return new Report(drawn);
    }

    private static String next(Keys keys) {
        long[] key = new long[1];
        keys.next(key, 0);
        return Long.toString(key[0]);
    }
}
