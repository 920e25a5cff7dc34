package io.idgen.zookeeper;

import org.jspecify.annotations.Nullable;

/**
 * The content of a worker id's node.
 *
 * @param fence how often the node changed hands
 * @param horizonMillis no tick at or after it is granted to any process
 * @param token the token of the process that holds it, or null
 * @param aliveMillis for how long that process counts as alive, from the last write of the node on
 * @param era the id of the era in which the horizon was granted; null if no process was granted one yet
 * @param owner the process that wrote the node, for people
 */
record WorkerNode(
        long fence,
        long horizonMillis,
        @Nullable String token,
        long aliveMillis,
        @Nullable String era,
        @Nullable String owner) {

    /** The content for a worker id that no process has used. */
    static final WorkerNode UNUSED = new WorkerNode(0, 0, null, 0, null, null);

    static WorkerNode of(String path, byte[] content) {
        NodeText text = NodeText.of(path, content);
        return new WorkerNode(
                text.number("fence"),
                text.number("horizon"),
                text.find("token"),
                text.number("alive-ms"),
                text.find("era"),
                text.find("owner"));
    }

    byte[] content() {
        return NodeText.write(
                "fence", fence,
                "horizon", horizonMillis,
                "token", token,
                "alive-ms", aliveMillis,
                "era", era,
                "owner", owner);
    }

    /** Returns a copy that a process holds until {@code newAliveMillis} after the write. */
    WorkerNode heldBy(@Nullable String newToken, long newAliveMillis) {
        return new WorkerNode(fence, horizonMillis, newToken, newAliveMillis, era, owner);
    }

    WorkerNode withHorizon(long newHorizonMillis) {
        return new WorkerNode(fence, newHorizonMillis, token, aliveMillis, era, owner);
    }
}
