package io.idgen.cli;

import io.idgen.core.layout.SnowflakeLayout;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options for a layout: a mixin. */
final class LayoutOptions {

    /** Seconds of the years 2001 to 2096 lie between these times if they are read as milliseconds. */
    private static final Instant SECONDS_FROM = Instant.ofEpochMilli(1_000_000_000);

    private static final Instant SECONDS_TO = Instant.ofEpochMilli(4_000_000_000L);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

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

    private boolean pointedOut;

    /** Returns the layout of the options; empty if no option is given. */
    Optional<SnowflakeLayout> given() {
        return layout == null && epoch == null ? Optional.empty() : Optional.of(orDefault());
    }

    /** Returns the layout of the options; missing options have the values of idgen's default layout. */
    SnowflakeLayout orDefault() {
        SnowflakeLayout widths = layout == null ? SnowflakeLayout.IDGEN : SnowflakeLayout.parse(layout);
        if (epoch == null) {
            return widths;
        }
        Instant parsed = SnowflakeLayout.parseEpoch(epoch);
        if (!pointedOut && isLikeSeconds(epoch.strip(), parsed)) {
            pointedOut = true;
            Instant seconds = Instant.ofEpochSecond(parsed.toEpochMilli());
            command.commandLine()
                    .getErr()
                    .println(
                            "--epoch " + epoch.strip() + " is " + parsed + ", in milliseconds since 1970; it looks like"
                                    + " seconds: for " + seconds + " write --epoch " + seconds.toEpochMilli());
            command.commandLine().getErr().flush();
        }
        return widths.withEpoch(parsed);
    }

    private static boolean isLikeSeconds(String text, Instant parsed) {
        return text.matches("\\d+") && !parsed.isBefore(SECONDS_FROM) && parsed.isBefore(SECONDS_TO);
    }
}
