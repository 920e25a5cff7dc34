package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.FirstIds;
import io.idgen.cli.common.Output;
import io.idgen.cli.common.TextForms;
import io.idgen.core.IdSource;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.text.IdCodec;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Generates ids in this process. The user guarantees that no other process has the worker id. */
@Command(name = "generate", description = "Generates Snowflake ids.")
final class Generate implements Runnable {
    private static final int MOST = IdSource.MAX_BATCH;

    @Mixin
    private Output output = new Output();

    @Mixin
    private LayoutOptions layout = new LayoutOptions();

    @Option(
            names = "--worker",
            paramLabel = "<id>",
            required = true,
            description = "The worker id. No other process may use it at the same time, otherwise ids repeat.")
    private int worker;

    @Option(names = "--datacenter", paramLabel = "<id>", description = "The datacenter id. Default: 0.")
    private int datacenter;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "<n>",
            defaultValue = "1",
            description = "How many ids, 1 to " + MOST + ". Default: ${DEFAULT-VALUE}.")
    private int count;

    @Option(
            names = "--at",
            paramLabel = "<instant>",
            description = "Print the first ids of the worker at this time, for tests and range queries: an instant with"
                    + " its zone, or milliseconds since 1970. The same time gives the same ids. Default: new ids, now.")
    private @Nullable String at;

    @Option(
            names = "--format",
            paramLabel = "<form>",
            defaultValue = "decimal",
            converter = TextForms.class,
            completionCandidates = TextForms.class,
            description = "The text form of the ids: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private IdCodec form = IdCodec.DECIMAL;

    @Override
    public void run() {
        if (count < 1 || count > MOST) {
            throw new BadInputException(
                    "--count must be 1 to " + MOST + ", got " + count + "; for more, run the command several times");
        }
        SnowflakeLayout chosen = layout.orDefault();
        long[] made = at == null
                ? now(chosen)
                : FirstIds.at(chosen, SnowflakeLayout.parseEpoch(at), datacenter, worker, count);
        List<String> ids = Arrays.stream(made).mapToObj(form::encode).toList();
        if (output.isJson()) {
            output.json(ids);
        } else {
            ids.forEach(output.out()::println);
            output.out().flush();
        }
    }

    private long[] now(SnowflakeLayout chosen) {
        try (Snowflake snowflake = Snowflake.builder()
                .layout(chosen)
                .datacenterId(datacenter)
                .workerId(worker)
                .build()) {
            return snowflake.nextIds(count);
        }
    }
}
