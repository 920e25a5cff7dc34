package io.idgen.zookeeper;

import java.util.concurrent.ThreadLocalRandom;

/**
 * A period in which the ensemble cannot have lost a write: the epoch of one leader. Servers must be restarted to
 * restore older data, or after a loss of all data. A restart begins a new epoch.
 *
 * @param id a random text, which no other era has
 * @param epoch the leader's epoch, which is the upper half of each of its zxids
 * @param sinceMillis when a process first saw the era, by the leader's clock; not before the era began
 */
record Era(String id, long epoch, long sinceMillis) {

    /** Returns a new era, which begins now. */
    static Era begin(long epoch, long nowMillis) {
        return new Era(Long.toHexString(ThreadLocalRandom.current().nextLong()), epoch, nowMillis);
    }

    static Era of(String path, byte[] content) {
        NodeText text = NodeText.of(path, content);
        return new Era(text.text("id"), text.number("epoch"), text.number("since"));
    }

    byte[] content() {
        return NodeText.write("id", id, "epoch", epoch, "since", sinceMillis);
    }
}
