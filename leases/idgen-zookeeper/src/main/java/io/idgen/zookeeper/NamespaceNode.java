package io.idgen.zookeeper;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of a namespace's node.
 *
 * @param layout the layout of its ids
 * @param longestWindowMillis the longest window that was ever used
 */
record NamespaceNode(String layout, long longestWindowMillis) {

    static NamespaceNode of(String path, byte[] content) {
        NodeText text = NodeText.of(path, content);
        return new NamespaceNode(text.text("layout"), text.number("longest-window-ms"));
    }

    byte[] content() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("layout", layout);
        fields.put("longest-window-ms", longestWindowMillis);
        return NodeText.write(fields);
    }
}
