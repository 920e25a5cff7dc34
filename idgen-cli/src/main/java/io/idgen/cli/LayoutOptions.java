package io.idgen.cli;

import io.idgen.cli.common.Layouts;
import io.idgen.core.layout.SnowflakeLayout;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for a layout: a mixin. */
final class LayoutOptions {

    @Option(
            names = "--layout",
            paramLabel = "<preset|widths>",
            description = "idgen, js-safe, twitter, discord, instagram, sonyflake, tsid, or widths from the top such as"
                    + " 41-5-5-12 (time, datacenter, worker, sequence) or 41-10-12 (time, worker, sequence).")
    private @Nullable String layout;

    @Option(
            names = "--epoch",
            paramLabel = "<instant>",
            description = "The epoch, if it is not the layout's own: 2016-01-01T00:00:00Z, or milliseconds since 1970.")
    private @Nullable String epoch;

    /** Returns the layout of the options; empty if no option is given. */
    Optional<SnowflakeLayout> given() {
        return layout == null && epoch == null ? Optional.empty() : Optional.of(orDefault());
    }

    /** Returns the layout of the options; missing options have the values of idgen's default layout. */
    SnowflakeLayout orDefault() {
        return Layouts.of(layout, epoch);
    }
}
