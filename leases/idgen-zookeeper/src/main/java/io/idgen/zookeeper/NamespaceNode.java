package io.idgen.zookeeper;

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
        long longest = Math.max(longestWindowMillis, windowMillis);
        return new NamespaceNode(layout, longest, Math.max(usedWindowMillis, windowMillis), lowestMillis);
    }

    NamespaceNode withLayout(String newLayout, long newLowestMillis) {
        return new NamespaceNode(newLayout, longestWindowMillis, usedWindowMillis, newLowestMillis);
    }

    byte[] content() {
        return NodeText.write(
                NodeText.field("layout", layout),
                NodeText.field("longest-window-ms", longestWindowMillis),
                NodeText.field("used-window-ms", usedWindowMillis),
                NodeText.field("lowest-horizon", lowestMillis));
    }
}
