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
 */
record NamespaceNode(String layout, long longestWindowMillis, long usedWindowMillis) {

    static NamespaceNode of(String path, byte[] content) {
        NodeText text = NodeText.of(path, content);
        long longest = text.number("longest-window-ms");
        // an earlier version recorded a window when it used it
        return new NamespaceNode(
                text.text("layout"),
                longest,
                text.find("used-window-ms") == null ? longest : text.number("used-window-ms"));
    }

    NamespaceNode withLongest(long windowMillis) {
        return new NamespaceNode(layout, Math.max(longestWindowMillis, windowMillis), usedWindowMillis);
    }

    NamespaceNode withUsed(long windowMillis) {
        return new NamespaceNode(
                layout, Math.max(longestWindowMillis, windowMillis), Math.max(usedWindowMillis, windowMillis));
    }

    NamespaceNode withLayout(String newLayout) {
        return new NamespaceNode(newLayout, longestWindowMillis, usedWindowMillis);
    }

    byte[] content() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("layout", layout);
        fields.put("longest-window-ms", longestWindowMillis);
        fields.put("used-window-ms", usedWindowMillis);
        return NodeText.write(fields);
    }
}
