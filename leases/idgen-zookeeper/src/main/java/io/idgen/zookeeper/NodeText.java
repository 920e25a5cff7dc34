package io.idgen.zookeeper;

import io.idgen.core.AllocationException;
import io.idgen.core.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** The content of a node: one {@code name=value} per line, so that {@code get} of zkCli shows it. Immutable. */
final class NodeText {
    private final String path;
    private final Map<String, String> fields;

    private NodeText(String path, Map<String, String> fields) {
        this.path = path;
        this.fields = fields;
    }

    static NodeText of(String path, byte[] content) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line : new String(content, StandardCharsets.UTF_8).split("\n")) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                fields.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        return new NodeText(path, fields);
    }

    /** Writes fields, each as a name and its value; without a value, the node does not have the field. */
    static byte[] write(@Nullable Object... namesAndValues) {
        StringJoiner text = new StringJoiner("\n");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            if (namesAndValues[i + 1] != null) {
                text.add(namesAndValues[i] + "=" + namesAndValues[i + 1]);
            }
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Nullable
    String find(String name) {
        return fields.get(name);
    }

    String text(String name) {
        String text = find(name);
        if (text == null) {
            throw invalid("no field " + name);
        }
        return text;
    }

    long number(String name) {
        String text = text(name);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw invalid(name + "=" + text + ", which is no number");
        }
    }

    private AllocationException invalid(String found) {
        return new AllocationException(
                ErrorCode.INVALID_ROW,
                "the ZooKeeper node " + path + " has " + found + "; stop all processes and delete the node: idgen"
                        + " creates it again, and its ids then begin above all that it can have granted");
    }
}
