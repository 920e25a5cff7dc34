package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Loads classes that settings name, and services of modules. Names the module or the library that is missing. */
final class Extensions {
    private static final List<String> MODULES = List.of("jdbc", "redis", "zookeeper");

    /** Packages, each with the artifact that has its classes. */
    private static final List<String> LIBRARIES = List.of(
            "org.apache.curator.=org.apache.curator:curator-framework",
            "org.apache.zookeeper.=org.apache.zookeeper:zookeeper",
            "io.lettuce.=io.lettuce:lettuce-core",
            "io.netty.=io.netty, all its artifacts in the version that io.lettuce:lettuce-core needs");

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
                continue; // the next class loader may know it
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

    /** Returns the services of a type. Those of this class's own loader are the last. */
    static <T> List<T> services(Class<T> kind) {
        List<T> found = new ArrayList<>();
        try {
            for (ClassLoader loader : loaders()) {
                ServiceLoader.load(kind, loader).forEach(found::add);
            }
        } catch (ServiceConfigurationError e) {
            throw new ConfigurationException(
                    ErrorCode.UNKNOWN_STRATEGY, "a service on the class path cannot be loaded: " + e.getMessage(), e);
        }
        return found;
    }

    private static List<ClassLoader> loaders() {
        ClassLoader own = IdSources.class.getClassLoader();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context == null || context.equals(own) ? List.of(own) : List.of(context, own);
    }

    /** Returns which library to add after a class was not found, or was not the expected one. */
    static String libraryFor(LinkageError e) {
        String message = String.valueOf(e.getMessage()).replace('/', '.');
        for (String library : LIBRARIES) {
            int end = library.indexOf('=');
            if (message.contains(library.substring(0, end))) {
                return "add the dependency " + library.substring(end + 1);
            }
        }
        return "add the library that has this class, in the version that the module of the store needs";
    }

    /** Returns which module to add for the name of a lease store; null if no module has it. */
    static @Nullable String moduleFor(String name) {
        return MODULES.contains(name)
                ? name + " comes with the module idgen-" + name
                        + ", which is not on the class path; add the dependency io.idgen:idgen-" + name
                : null;
    }

    /** Returns the end of a message about an unknown key: which module to add if the key is that of a missing one. */
    static String moduleForKey(String key, Collection<Setting<?>> known) {
        for (String name : MODULES) {
            if (key.contains("." + name + ".")
                    && known.stream().noneMatch(setting -> setting.key().startsWith(name + "."))) {
                return "; " + moduleFor(name);
            }
        }
        return "";
    }
}
