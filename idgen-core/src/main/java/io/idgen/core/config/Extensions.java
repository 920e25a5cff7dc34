package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/** Loads classes that settings name, and services that modules provide. */
final class Extensions {
    private Extensions() {}

    /**
     * Creates an object of a class that a setting names.
     *
     * @throws IllegalArgumentException if the class does not exist or cannot be instantiated; the message has the rule
     */
    static <T> T ofClass(String className, Class<T> kind) {
        for (ClassLoader loader : loaders()) {
            try {
                return Class.forName(className, true, loader)
                        .asSubclass(kind)
                        .getDeclaredConstructor()
                        .newInstance();
            } catch (ClassNotFoundException e) {
                System.getLogger(Extensions.class.getName())
                        .log(System.Logger.Level.DEBUG, "not known to this class loader, perhaps to the next", e);
            } catch (InvocationTargetException e) {
                throw new IllegalArgumentException(
                        "the constructor of " + className + " failed: " + e.getTargetException(), e);
            } catch (ReflectiveOperationException | ClassCastException e) {
                throw new IllegalArgumentException(
                        "class " + className + " is not a " + kind.getSimpleName()
                                + " with a public constructor without arguments; name a public class that is one, in a"
                                + " package that its module exports",
                        e);
            } catch (LinkageError e) {
                throw new IllegalArgumentException("class " + className + " cannot be loaded: " + e, e);
            }
        }
        throw new IllegalArgumentException("no class " + className
                + " is on the class path; correct the name, with its package, or add the module that brings it");
    }

    /** The services of a type. Those of this class's own loader come last: of two with one name the last one counts. */
    static <T> List<T> services(Class<T> kind) {
        List<T> found = new ArrayList<>();
        for (ClassLoader loader : loaders()) {
            try {
                ServiceLoader.load(kind, loader).forEach(found::add);
            } catch (ServiceConfigurationError e) {
                throw new ConfigurationException(
                        ErrorCode.UNKNOWN_STRATEGY,
                        "a service on the class path cannot be loaded: " + e.getMessage(),
                        e);
            }
        }
        return found;
    }

    private static List<ClassLoader> loaders() {
        ClassLoader own = IdSources.class.getClassLoader();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context == null || context.equals(own) ? List.of(own) : List.of(context, own);
    }
}
