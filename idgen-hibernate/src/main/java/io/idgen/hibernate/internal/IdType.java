package io.idgen.hibernate.internal;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.text.IdCodec;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Converts an id to the type of an attribute.
 *
 * @param largest the largest id that the type can hold
 * @param isNumber whether SQL can query the largest value of its column
 * @param value converts an id to the attribute's type
 */
record IdType(long largest, boolean isNumber, LongFunction<Object> value) {

    /** The constructor parameters that an application class may have, the widest first. */
    private static final List<Class<?>> PARAMETERS =
            List.of(long.class, Long.class, BigInteger.class, int.class, Integer.class, String.class);

    /**
     * Returns the conversion, if the type is a number, a text, or a class with a constructor that takes one of them.
     */
    static Optional<IdType> of(Class<?> type, IdCodec codec) {
        IdType plain = plain(type, codec);
        return plain == null ? made(type, codec) : Optional.of(plain);
    }

    private static @Nullable IdType plain(Class<?> type, IdCodec codec) {
        if (type == long.class || type == Long.class) {
            return new IdType(Long.MAX_VALUE, true, Long::valueOf);
        }
        if (type == BigInteger.class) {
            return new IdType(Long.MAX_VALUE, true, BigInteger::valueOf);
        }
        if (type == int.class || type == Integer.class) {
            return new IdType(Integer.MAX_VALUE, true, Math::toIntExact);
        }
        if (type == short.class || type == Short.class) {
            return new IdType(Short.MAX_VALUE, true, id -> (short) Math.toIntExact(id));
        }
        if (type == String.class) {
            return new IdType(Long.MAX_VALUE, false, codec::encode);
        }
        return null;
    }

    /** Classes of the JDK do not qualify: a date that can be created from a number is not an id. */
    private static Optional<IdType> made(Class<?> type, IdCodec codec) {
        if (type.isPrimitive()
                || Modifier.isAbstract(type.getModifiers())
                || type.getName().startsWith("java.")) {
            return Optional.empty();
        }
        return PARAMETERS.stream()
                .flatMap(parameter -> Arrays.stream(type.getDeclaredConstructors())
                        .filter(constructor ->
                                Arrays.equals(constructor.getParameterTypes(), new Class<?>[] {parameter})))
                .findFirst()
                .flatMap(constructor -> {
                    open(constructor);
                    return of(constructor.getParameterTypes()[0], codec)
                            .map(of ->
                                    new IdType(of.largest, of.isNumber, id -> make(constructor, of.value.apply(id))));
                });
    }

    private static void open(Constructor<?> constructor) {
        try {
            constructor.setAccessible(true);
        } catch (InaccessibleObjectException e) {
            Class<?> type = constructor.getDeclaringClass();
            throw new ConfigurationException(
                    ErrorCode.UNSUPPORTED_ID_TYPE,
                    "idgen cannot call the constructor of " + type.getName() + ", since the module "
                            + type.getModule().getName()
                            + " does not open its package to idgen; add to module-info.java:"
                            + " opens " + type.getPackageName() + " to "
                            + IdType.class.getModule().getName() + ";",
                    e);
        }
    }

    private static Object make(Constructor<?> constructor, Object id) {
        try {
            return constructor.newInstance(id);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(constructor + " rejects " + id, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(constructor + " cannot be called", e);
        }
    }

    /** Returns whether an attribute has a value; 0 counts as none. */
    static boolean isSet(@Nullable Object value) {
        return value instanceof Number number ? number.longValue() != 0 : value != null;
    }
}
