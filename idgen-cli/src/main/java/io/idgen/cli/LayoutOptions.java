package io.idgen.cli;

import io.idgen.core.layout.SnowflakeLayout;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Under which layout a command reads or makes ids: a mixin. */
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
            description =
                    "When time 0 is, if not where the layout says: 2016-01-01T00:00:00Z, or milliseconds since 1970.")
    private @Nullable String epoch;

    /** The layout of the options, if there is any. */
    Optional<SnowflakeLayout> given() {
        return layout == null && epoch == null ? Optional.empty() : Optional.of(orDefault());
    }

    /** The layout of the options; what they do not say is as in idgen's own. */
    SnowflakeLayout orDefault() {
        SnowflakeLayout widths = layout == null ? SnowflakeLayout.IDGEN : SnowflakeLayout.parse(layout);
        return epoch == null ? widths : widths.withEpoch(SnowflakeLayout.parseEpoch(epoch));
    }
}
