package io.idgen.zookeeper;

/**
 * The content of a namespace's node.
 *
 * @param layout the layout of its ids and the times of leases
 * @param lowestMillis the horizon of nodes that are created later; 0 if the namespace never had another layout
 */
record NamespaceNode(String layout, long lowestMillis) {

    static NamespaceNode of(String path, byte[] content) {
        NodeText text = NodeText.of(path, content);
        return new NamespaceNode(text.text("layout"), text.number("lowest-horizon"));
    }

    byte[] content() {
        return NodeText.write("layout", layout, "lowest-horizon", lowestMillis);
    }
}
