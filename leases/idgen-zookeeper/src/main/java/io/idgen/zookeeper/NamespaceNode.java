package io.idgen.zookeeper;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of a namespace's node.
 *
 * @param layout the layout of its ids
 * @param longestWindowMillis the longest window that was ever announced
 * @param usedWindowMillis the longest window that was ever used; 0 for none
 * @param lowestMillis the horizon of nodes that are created later; 0 if the namespace never had another layout
 */
record NamespaceNode(String layout, long longestWindowMillis, long usedWindowMillis, long lowestMillis) {

    static NamespaceNode of(String path, byte[] content) {
        NodeText text = NodeText.of(path, content);
        return new NamespaceNode(
                text.text("layout"),
                text.number("longest-window-ms"),
                text.number("used-window-ms"),
                text.number("lowest-horizon"));
    }

    NamespaceNode withLongest(long windowMillis) {
        return new NamespaceNode(layout, Math.max(longestWindowMillis, windowMillis), usedWindowMillis, lowestMillis);
    }

    NamespaceNode withUsed(long windowMillis) {
        return new NamespaceNode(
                layout,
                Math.max(longestWindowMillis, windowMillis),
                Math.max(usedWindowMillis, windowMillis),
                lowestMillis);
    }

    NamespaceNode withLayout(String newLayout, long newLowestMillis) {
        return new NamespaceNode(newLayout, longestWindowMillis, usedWindowMillis, newLowestMillis);
    }

    byte[] content() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("layout", layout);
        fields.put("longest-window-ms", longestWindowMillis);
        fields.put("used-window-ms", usedWindowMillis);
        fields.put("lowest-horizon", lowestMillis);
        return NodeText.write(fields);
    }
}
