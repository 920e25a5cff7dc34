package io.idgen.core.internal.lease;

import io.idgen.core.lease.LeaseStore;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the records of a trace from their {@link Object#toString}. */
final class RecordText {
    private static final Map<String, Class<?>> TYPES = Stream.concat(
                    Stream.of(LeaseStep.class, LeaseState.class),
                    Stream.of(
                                    LeaseEvent.class,
                                    LeaseCommand.class,
                                    LeaseState.class,
                                    LeaseTrace.class,
                                    LeaseWait.class,
                                    LeaseStore.class)
                            .flatMap(type -> Arrays.stream(type.getDeclaredClasses())))
            .filter(Class::isRecord)
            .collect(Collectors.toMap(Class::getSimpleName, Function.identity()));

    private final String text;
    private int at;

    private RecordText(String text) {
        this.text = text;
    }

    /** Returns the record with this text. */
    static Object parse(String text) {
        return new RecordText(text).record();
    }

    private Object record() {
        Class<?> type = TYPES.get(before("["));
        if (type == null) {
            throw new IllegalArgumentException("no record of a trace: " + text);
        }
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            skip(components[i].getName() + "=");
            String end = i + 1 < components.length ? ", " + components[i + 1].getName() + "=" : "]";
            values[i] = value(components[i].getType(), components[i].getGenericType(), end);
            if (i + 1 < components.length) {
                skip(", ");
            }
        }
        skip("]");
        try {
            var constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new));
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private @Nullable Object value(Class<?> type, Type generic, String end) {
        if (text.startsWith("null" + end, at)) {
            at += 4;
            return null;
        }
        if (generic instanceof ParameterizedType collection) {
            List<Object> elements = elements((Class<?>) collection.getActualTypeArguments()[0]);
            return type == List.class ? elements : new HashSet<>(elements);
        }
        if (type.isRecord() || type.isInterface()) {
            return record();
        }
        int from = at;
        at = text.indexOf(end, at);
        String value = text.substring(from, at);
        if (type == long.class || type == Long.class) {
            return Long.valueOf(value);
        }
        if (type == int.class) {
            return Integer.valueOf(value);
        }
        if (type == boolean.class) {
            return Boolean.valueOf(value);
        }
        if (type == Duration.class) {
            return Duration.parse(value);
        }
        return type.isEnum() ? constant(type, value) : value;
    }

    private static Object constant(Class<?> type, String name) {
        return Arrays.stream(type.getEnumConstants())
                .filter(each -> each.toString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private List<Object> elements(Class<?> type) {
        List<Object> elements = new ArrayList<>();
        skip("[");
        while (text.charAt(at) != ']') {
            boolean last = !type.isRecord() && text.indexOf(']', at) < (text.indexOf(", ", at) & Integer.MAX_VALUE);
            elements.add(value(type, type, last ? "]" : ", "));
            if (text.charAt(at) == ',') {
                skip(", ");
            }
        }
        skip("]");
        return elements;
    }

    private String before(String end) {
        int from = at;
        at = text.indexOf(end, at) + end.length();
        return text.substring(from, at - end.length());
    }

    private void skip(String expected) {
        if (!text.startsWith(expected, at)) {
            throw new IllegalArgumentException("no '" + expected + "' at " + at + " of " + text);
        }
        at += expected.length();
    }
}
