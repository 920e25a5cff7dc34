package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.Output;
import io.idgen.cli.common.TextForms;
import io.idgen.core.IdSource;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.core.text.IdCodec;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** New ids, made in this process under a worker id that is the user's word. */
@Command(name = "generate", description = "Makes snowflakes.")
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
            description = "The worker id. Nobody else may use it at the same time, or equal ids are made.")
    private int worker;

    @Option(names = "--datacenter", paramLabel = "<id>", description = "The datacenter id. Default: 0.")
    private int datacenter;

    @Option(
            names = {"-n", "--count"},
            paramLabel = "<n>",
            defaultValue = "1",
            description = "How many, 1 to " + MOST + ". Default: ${DEFAULT-VALUE}.")
    private int count;

    @Option(
            names = "--format",
            paramLabel = "<form>",
            defaultValue = "decimal",
            converter = TextForms.class,
            completionCandidates = TextForms.class,
            description = "What to write them in: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private IdCodec form = IdCodec.DECIMAL;

    @Override
    public void run() {
        if (count < 1 || count > MOST) {
            throw new BadInputException(
                    "--count is 1 to " + MOST + ", got " + count + "; run it several times for more");
        }
        SnowflakeLayout chosen = layout.orDefault();
        try (Snowflake snowflake = Snowflake.builder()
                .layout(chosen)
                .datacenterId(datacenter)
                .workerId(worker)
                .build()) {
            List<String> ids = Arrays.stream(snowflake.nextIds(count))
                    .mapToObj(form::encode)
                    .toList();
            if (output.isJson()) {
                output.json(ids);
            } else {
                ids.forEach(output.out()::println);
                output.out().flush();
            }
        }
    }
}
