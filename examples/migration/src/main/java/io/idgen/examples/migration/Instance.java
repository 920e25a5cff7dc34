package io.idgen.examples.migration;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.hibernate.HibernateException;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** A process with one version of the application, which inserts orders until its input ends. */
final class Instance {
    static final String READY = "ready";

    private final AtomicInteger inserted = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final Version version;
    private volatile String lastFailure = "";
    private volatile boolean isOver;

    /** An answer. Failures are those since the answer before. */
    record SoFar(int inserted, int failed, String lastFailure) {
        static final String WORD = "so far ";

        static SoFar parse(String text) {
            String[] parts = text.split(" ", 3);
            return new SoFar(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), parts[2]);
        }

        @Override
        public String toString() {
            return WORD + inserted + " " + failed + " " + lastFailure;
        }
    }

    private Instance(Version version) {
        this.version = version;
    }

    /**
     * Inserts orders. For each number that it reads, it waits until it has inserted so many more or one has failed, and
     * prints its {@link SoFar}.
     *
     * @param arguments the version and the URL
     */
    public static void main(String[] arguments) throws Exception {
        Instance instance = new Instance(Version.valueOf(arguments[0]));
        Configuration configuration = new Configuration()
                .setProperty("hibernate.connection.url", arguments[1])
                .setProperty("idgen.jdbc.initialize-schema", "always");
        instance.version.orderWithTwoLines().stream()
                .map(Object::getClass)
                .distinct()
                .forEach(configuration::addAnnotatedClass);
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            Thread writer = new Thread(() -> instance.insert(factory), "writer");
            writer.start();
            System.out.println(READY);
            instance.answer();
            writer.join();
            System.out.println(instance.soFar());
        }
    }

    private void insert(SessionFactory factory) {
        while (!isOver) {
            try {
                factory.inTransaction(session -> {
                    List<Object> rows = version.orderWithTwoLines();
                    rows.forEach(session::persist);
                    session.flush();
                    Object id = session.getIdentifier(rows.get(0));
                    session.clear();
                    session.find(rows.get(0).getClass(), id); // reads the id in the type of this version
                });
                inserted.incrementAndGet();
            } catch (HibernateException e) {
                lastFailure = e.toString().replace('\n', ' ');
                failed.incrementAndGet();
            }
        }
    }

    private void answer() throws Exception {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                int enough = inserted.get() + Integer.parseInt(line);
                while (inserted.get() < enough && failed.get() == 0) {
                    Thread.sleep(5);
                }
                System.out.println(soFar());
            }
        }
        isOver = true;
    }

    private SoFar soFar() {
        return new SoFar(inserted.get(), failed.getAndSet(0), lastFailure);
    }
}
