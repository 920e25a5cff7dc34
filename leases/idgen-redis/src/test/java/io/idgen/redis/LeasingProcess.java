package io.idgen.redis;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** A process that leases its worker id from Redis. Each line of its input is a number of ids to write to a file. */
final class LeasingProcess {
    static final String READY = "ready";
    static final String DRAWN = "drawn";

    private LeasingProcess() {}

    /**
     * Generates ids on request. The arguments are the address of Redis, a file, and settings of the form
     * {@code name=value}.
     */
    public static void main(String[] arguments) throws IOException {
        IdSources.Builder builder = IdSources.builder()
                .source("orders")
                .set("idgen.worker.assigner", "redis")
                .set("idgen.redis.uri", arguments[0]);
        for (int i = 2; i < arguments.length; i++) {
            String[] setting = arguments[i].split("=", 2);
            builder.set(setting[0], setting[1]);
        }
        try (IdSources sources = builder.build();
                PrintWriter ids = new PrintWriter(arguments[1], StandardCharsets.US_ASCII)) {
            IdSource source = sources.get("orders");
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
            System.out.println(READY);
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                for (int i = Integer.parseInt(line); i > 0; i--) {
                    ids.println(source.nextId());
                }
                ids.flush();
                System.out.println(DRAWN);
            }
        }
    }
}
