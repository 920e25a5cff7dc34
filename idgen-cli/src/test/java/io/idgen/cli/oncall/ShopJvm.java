package io.idgen.cli.oncall;

import io.idgen.core.config.IdSources;
import io.idgen.jdbc.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;

/** A process of the shop in a JVM of its own, which a test can kill or pause. Generates ids only when it is asked. */
final class ShopJvm implements AutoCloseable {
    private static final String ID = "id ";

    private final Shop shop;
    private final ChildJvm process;

    ShopJvm(Shop shop, List<String> settings) throws IOException {
        this.shop = shop;
        this.process = ChildJvm.start(ShopJvm.class, settings);
    }

    /** Opens sources with settings of the form {@code key=value}, and prints an id for each name of a source. */
    public static void main(String[] settings) throws IOException {
        try (IdSources sources =
                        Shop.configure(IdSources.builder(), List.of(settings)).build();
                BufferedReader names = new BufferedReader(new InputStreamReader(System.in))) {
            for (String name = names.readLine(); name != null; name = names.readLine()) {
                System.out.println(ID + sources.get(name).nextId());
            }
        }
    }

    /** Generates an id. Fails if a process of the shop has generated it before. */
    long next(String source) throws IOException {
        process.tell(source);
        return shop.add(source, Long.parseLong(process.awaitsAfter(ID)));
    }

    /** Kills the process by SIGKILL. */
    void kill() {
        process.kill();
    }

    /** Stops the process until {@link #resume}, as a pause of its machine does. */
    void pause() throws IOException {
        process.signal("STOP");
    }

    void resume() throws IOException {
        process.signal("CONT");
    }

    @Override
    public void close() {
        process.close();
    }
}
