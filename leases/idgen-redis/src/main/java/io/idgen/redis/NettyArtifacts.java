package io.idgen.redis;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.netty.util.Version;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

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

    /**
     * Checks that all artifacts that Lettuce uses are of one minor version.
     *
     * @throws ConfigurationException if they are not
     */
    static void check() {
        check(FOUND);
    }

    static void check(Map<String, String> found) {
        if (found.values().stream().map(NettyArtifacts::minor).distinct().count() > 1) {
            throw new ConfigurationException(
                    ErrorCode.UNKNOWN_STRATEGY,
                    "the artifacts of io.netty on the class path do not belong together: " + text(found) + advice());
        }
    }

    /** Returns the refusal for a class of Netty that does not exist, or is not the expected one. */
    static ConfigurationException refusal(String purpose, Throwable cause) {
        return new ConfigurationException(
                ErrorCode.UNKNOWN_STRATEGY,
                purpose + " fails, because a library is missing or has another version: " + cause + "; found "
                        + text(FOUND) + advice(),
                cause);
    }

    private static String advice() {
        return "; use all of them in the version that io.lettuce:lettuce-core needs, for example by the BOM"
                + " io.netty:netty-bom";
    }

    private static Map<String, String> found() {
        Map<String, String> found = new TreeMap<>();
        Version.identify(NettyArtifacts.class.getClassLoader()).forEach((artifact, version) -> {
            if (USED.contains(artifact)) {
                found.put(artifact, version.artifactVersion());
            }
        });
        return found;
    }

    private static String minor(String version) {
        String[] numbers = version.split("\\.", 3);
        return numbers.length < 3 ? version : numbers[0] + '.' + numbers[1];
    }

    private static String text(Map<String, String> found) {
        return found.entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining(", "));
    }
}
