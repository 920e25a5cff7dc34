package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.Output;
import io.idgen.cli.common.TextForms;
import io.idgen.cli.leases.LeaseOptions;
import io.idgen.cli.leases.OpenStore;
import io.idgen.core.IdSource;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.snowflake.Snowflake;
import io.idgen.text.IdCodec;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Generates ids in this process, with a worker id that it leases, or one for which the user guarantees that no other
 * process has it.
 */
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
            description = "The worker id. With --url, --redis or --zookeeper it is leased, and the default is any that"
                    + " is free. Otherwise no other process may use it at the same time, or ids repeat.")
    private @Nullable Integer worker;

    @Mixin
    private LeaseOptions store = new LeaseOptions();

    @Option(
            names = "--datacenter",
            paramLabel = "<id>",
            description = "The datacenter id. Default: 0; under a lease, any.")
    private @Nullable Integer datacenter;

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
        long[] made = at == null ? now(chosen) : at(chosen, SnowflakeLayout.parseEpoch(at));
        List<String> ids = Arrays.stream(made).mapToObj(form::encode).toList();
        if (output.isJson()) {
            output.json(ids);
        } else {
            ids.forEach(output.out()::println);
            output.out().flush();
        }
    }

    private long[] at(SnowflakeLayout chosen, Instant time) {
        if (worker == null || store.isGiven()) {
            throw new BadInputException("--at prints the first ids of one worker, which --worker names, and no store");
        }
        if (count > chosen.idsPerTick()) {
            throw new BadInputException("a tick of layout " + chosen + " has " + chosen.idsPerTick()
                    + " ids of one worker, got " + count + "; request fewer ids, or omit the time");
        }
        long[] ids = new long[count];
        int ofDatacenter = datacenter == null ? 0 : datacenter;
        int ofWorker = worker;
        Arrays.setAll(ids, i -> chosen.compose(new SnowflakeParts(time, ofDatacenter, ofWorker, i)));
        return ids;
    }

    private long[] now(SnowflakeLayout chosen) {
        Snowflake.Builder builder = Snowflake.builder().layout(chosen);
        if (worker != null) {
            builder.workerId(worker);
        }
        if (datacenter != null || !store.isGiven()) {
            builder.datacenterId(datacenter == null ? 0 : datacenter);
        }
        if (store.isGiven()) {
            try (OpenStore open = store.open(tables -> tables)) {
                return generate(builder.namespace(store.namespace()).leasedFrom(open.leases()));
            }
        }
        if (worker == null) {
            throw new BadInputException("--worker is missing; give a worker id that no other process has, or a store"
                    + " that leases one: --url, --redis or --zookeeper");
        }
        return generate(builder);
    }

    private long[] generate(Snowflake.Builder builder) {
        try (Snowflake snowflake = builder.build()) {
            return snowflake.nextIds(count);
        }
    }
}
