package io.idgen.redis;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.netty.util.Version;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The artifacts of Netty on the class path. Lettuce uses Netty, and artifacts of two versions fail only when they
 * connect, with an error that looks like an outage.
 */
final class NettyArtifacts {
    private static final Set<String> USED = Set.of(
            "netty-buffer",
            "netty-codec",
            "netty-codec-base",
            "netty-common",
            "netty-handler",
            "netty-resolver",
            "netty-transport");

    /** The versions by artifact. Artifacts whose jar was merged into another one may be missing. */
    private static final Map<String, String> FOUND = found();

    private NettyArtifacts() {}

    /** Throws if the artifacts that Lettuce uses are of two minor versions. */
    static void check() {
        if (FOUND.values().stream()
                        .map(version -> version.replaceFirst("^(\\d+\\.\\d+)\\..*", "$1"))
                        .distinct()
                        .count()
                > 1) {
            throw new ConfigurationException(ErrorCode.UNKNOWN_STRATEGY, text("do not belong together"));
        }
    }

    /** Returns the refusal for a class of Netty that does not exist, or is not the expected one. */
    static ConfigurationException refusal(Throwable cause) {
        return new ConfigurationException(ErrorCode.UNKNOWN_STRATEGY, text("do not serve Lettuce: " + cause), cause);
    }

    private static String text(String problem) {
        return "the artifacts of io.netty on the class path " + problem + "; found " + FOUND
                + "; use all of them in the version that io.lettuce:lettuce-core needs, for example by the BOM"
                + " io.netty:netty-bom";
    }

    private static Map<String, String> found() {
        Map<String, String> found = new TreeMap<>();
        Version.identify(NettyArtifacts.class.getClassLoader())
                .forEach((artifact, version) -> found.put(artifact, version.artifactVersion()));
        found.keySet().retainAll(USED);
        return found;
    }
}
