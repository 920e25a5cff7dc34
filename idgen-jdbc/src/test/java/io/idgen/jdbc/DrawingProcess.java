package io.idgen.jdbc;

import io.idgen.core.IdSource;
import io.idgen.core.config.IdSources;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A child process that reports when it is ready, generates ids of each name on request, and prints them. */
final class DrawingProcess {
    static final String READY = "ready";
    static final String ID = "id ";

    private DrawingProcess() {}

    /**
     * Generates ids of each name. The arguments are a JDBC URL, the number of ids per name, and the names. A name
     * begins with its strategy and a hyphen.
     */
    public static void main(String[] arguments) throws IOException {
        String url = arguments[0];
        int count = Integer.parseInt(arguments[1]);
        List<String> names = List.of(arguments).subList(2, arguments.length);
        try (IdSources sources = sources(url, names)) {
            System.out.println(READY);
            System.in.read();
            List<String> drawn = new ArrayList<>();
            for (String name : names) {
                IdSource source = sources.get(name);
                for (int i = 0; i < count; i++) {
                    drawn.add(ID + name + " " + source.nextId());
                }
            }
            drawn.forEach(System.out::println);
        }
    }

    private static IdSources sources(String url, List<String> names) {
        IdSources.Builder builder = IdSources.builder()
                .set("idgen.jdbc.url", url)
                .set("idgen.jdbc.timeout", "5m") // many processes that start at the same time are slow
                .set("idgen.acquire-timeout", "10m")
                .set("idgen.segment.step", "10")
                .set("idgen.segment.max-step", "10")
                .set("idgen.stepped.instance", "1")
                .set("idgen.stepped.instances", "2");
        for (String name : names) {
            builder.set("idgen.sources." + name + ".strategy", name.replaceFirst("-[0-9]+$", ""))
                    .set("idgen.sources." + name + ".start", "1");
        }
        return builder.build();
    }
}
