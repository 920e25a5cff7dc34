package io.idgen.examples.extensions;

import io.idgen.core.config.WorkerIdAssigner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Uses the index of a StatefulSet's pod as the worker id. Kubernetes writes the label
 * {@code apps.kubernetes.io/pod-index} to a file if the pod has a volume of kind {@code downwardAPI}.
 */
public final class PodIndexFile implements WorkerIdAssigner {
    private final Path file;

    /** Reads {@code /etc/podinfo/index}. */
    public PodIndexFile() {
        this(Path.of("/etc/podinfo/index"));
    }

    PodIndexFile(Path file) {
        this.file = file;
    }

    @Override
    public int workerId() {
        try {
            return Integer.parseInt(Files.readString(file).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
