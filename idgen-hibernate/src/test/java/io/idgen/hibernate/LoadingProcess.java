package io.idgen.hibernate;

import java.io.File;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.lang.runtime.ObjectMethods;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

/**
 * A container, like a web server. It provides the driver, and loads all other classes anew for each application,
 * including those of Hibernate and idgen. It runs and discards the applications, and prints which of them are
 * garbage-collected.
 */
final class LoadingProcess {
    static final String COLLECTED = "collected ";

    private static final int MOST_COLLECTIONS = 300;
    private static final long PAUSE_MILLIS = 100;

    private LoadingProcess() {}

    /** Runs one application per argument. The argument contains its settings, separated by commas. */
    public static void main(String[] arguments) throws Throwable {
        DriverManager.getConnection("jdbc:h2:mem:container")
                .close(); // exceptions that are created only once keep the first caller's stack
        ReferenceQueue<ClassLoader> collected = new ReferenceQueue<>();
        Map<Reference<?>, String> loaders = new HashMap<>();
        for (String settings : arguments) {
            loaders.put(new WeakReference<>(run(settings, "jdbc:h2:mem:" + loaders.size()), collected), settings);
        }
        useARecord();
        for (int i = 0; i < MOST_COLLECTIONS && !loaders.isEmpty(); i++) {
            System.gc();
            Reference<?> gone = collected.remove(PAUSE_MILLIS);
            if (gone != null) {
                System.out.println(COLLECTED + loaders.remove(gone));
            }
        }
    }

    /** Runs an application. Returns its class loader, to which nothing in this class refers any more. */
    private static ClassLoader run(String settings, String url) throws Exception {
        try (URLClassLoader loader = new URLClassLoader(classPath(), new Driver())) {
            FutureTask<Void> application = new FutureTask<>(() -> {
                start(loader, settings, url);
                return null;
            });
            Thread thread = new Thread(application);
            thread.setContextClassLoader(loader);
            thread.start();
            application.get();
            thread.join();
            return loader;
        }
    }

    @SuppressWarnings("unchecked")
    private static void start(ClassLoader loader, String settings, String url) throws ReflectiveOperationException {
        Map<String, String> all = new HashMap<>();
        all.put("jakarta.persistence.jdbc.url", url + ";DB_CLOSE_DELAY=-1");
        all.put("hibernate.hbm2ddl.auto", "create");
        for (String setting : settings.split(",")) {
            all.put(setting.split("=")[0], setting.split("=")[1]);
        }
        ((Consumer<Map<String, String>>) loader.loadClass(LoadedApplication.class.getName())
                        .getConstructor()
                        .newInstance())
                .accept(all);
    }

    private static URL[] classPath() throws Exception {
        List<URL> all = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            all.add(Path.of(entry).toUri().toURL());
        }
        return all.toArray(URL[]::new);
    }

    /** Loads the classes that all applications share. */
    private static final class Driver extends ClassLoader {
        Driver() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("org.h2.")) {
                return LoadingProcess.class.getClassLoader().loadClass(name);
            }
            throw new ClassNotFoundException(name);
        }
    }

    private record Last(Last component) {}

    /**
     * Replaces the application's records in a cache of JDK 17. That JDK keeps the class of the last record whose
     * {@code equals} or {@code hashCode} was linked, until it links the next one (JDK-8078641). This affects the
     * records of idgen and of Hibernate.
     */
    private static void useARecord() throws Throwable {
        Lookup lookup = MethodHandles.lookup();
        MethodType equals = MethodType.methodType(boolean.class, Last.class, Object.class);
        MethodType hashCode = MethodType.methodType(int.class, Last.class);
        for (Map.Entry<String, MethodType> method :
                Map.of("equals", equals, "hashCode", hashCode).entrySet()) {
            ObjectMethods.bootstrap(
                    lookup,
                    method.getKey(),
                    method.getValue(),
                    Last.class,
                    "component",
                    lookup.findGetter(Last.class, "component", Last.class));
        }
    }
}
