package io.idgen.zookeeper;

import io.idgen.core.internal.time.Characters;
import io.idgen.core.internal.time.Names;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.apache.zookeeper.common.PathUtils;

/**
 * The paths of idgen's nodes.
 *
 * @param root begins with a slash
 */
record Paths(String root) {

    /** Checks the root. */
    Paths {
        try {
            PathUtils.validatePath(Names.check("a path", root, 255));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the root of idgen's nodes is an absolute path like /idgen, got '" + Characters.line(root) + "': "
                            + e.getMessage(),
                    e);
        }
        if (root.equals("/")) {
            throw new IllegalArgumentException("the root of idgen's nodes is a node below /, for example /idgen");
        }
    }

    /** Returns the path of the node {@code clock}. The time of its last change is the leader's time. */
    String clock() {
        return root + "/clock";
    }

    String era() {
        return root + "/era";
    }

    String namespaces() {
        return root + "/workers";
    }

    /** Returns the path of a namespace. Its name can have slashes and dots. */
    String namespace(String name) {
        return namespaces() + "/"
                + URLEncoder.encode(name, StandardCharsets.UTF_8).replace(".", "%2E");
    }

    static String nameOf(String node) {
        return URLDecoder.decode(node, StandardCharsets.UTF_8);
    }

    String worker(String namespace, int workerId) {
        return namespace(namespace) + "/" + workerId;
    }
}
