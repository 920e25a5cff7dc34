package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.IdSource;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The properties of a source that its settings alone determine, and how to open it. Immutable.
 *
 * @param largestId the largest id that the source can generate, above 0; a framework refuses a column that is too
 *     narrow for it before anything opens
 * @param tables the tables that the source needs in the application's own database, or in that of a {@code DataSource}
 *     that was passed; empty if it needs none there. A framework that creates the application's schema creates these
 *     too, as far as they are in the same database
 * @param check checks what only a running application has, such as a database or a worker id. {@link IdSources} runs it
 *     when it is built; a framework runs it when the application starts, and not when it only reads a mapping. It may
 *     read local facts such as the host name, and does no other I/O. Throws {@link ConfigurationException} if something
 *     is missing
 * @param opener opens the source when it is first used; called again only if it has thrown. Throws {@link
 *     ConfigurationException} if the source cannot be opened
 */
public record SourcePlan(
        long largestId, List<SourceTable> tables, Runnable check, Supplier<? extends IdSource> opener) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the largest id is below 1
     */
    public SourcePlan {
        if (largestId < 1) {
            throw new IllegalArgumentException("the largest id must be at least 1, got " + largestId);
        }
        tables = List.copyOf(tables);
        Objects.requireNonNull(check, "check");
        Objects.requireNonNull(opener, "opener");
    }

    /**
     * Creates a plan that needs nothing to be checked, without tables in the application's database.
     *
     * @param largestId the largest id that the source can generate, above 0
     * @param opener opens it
     */
    public SourcePlan(long largestId, Supplier<? extends IdSource> opener) {
        this(largestId, List.of(), () -> {}, opener);
    }
}
