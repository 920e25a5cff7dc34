package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.Output;
import io.idgen.cli.leases.LeaseOptions;
import io.idgen.cli.leases.OpenStore;
import io.idgen.core.IdSource;
import io.idgen.core.layout.SnowflakeLayout;
import io.idgen.core.layout.SnowflakeParts;
import io.idgen.core.snowflake.Snowflake;
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
            description = "The worker id. No other process may use it at the same time, or ids repeat. With --url,"
                    + " --redis or --zookeeper in its place, one is leased.")
    private @Nullable Integer worker;

    @Mixin
    private LeaseOptions store = new LeaseOptions();

    @Option(
            names = "--datacenter",
            paramLabel = "<id>",
            defaultValue = "0",
            description = "With --worker: the datacenter id. Default: ${DEFAULT-VALUE}.")
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

    @Override
    public void run() {
        if (count < 1 || count > MOST) {
            throw new BadInputException(
                    "--count must be 1 to " + MOST + ", got " + count + "; for more, run the command several times");
        }
        List<String> ids = Arrays.stream(generate()).mapToObj(String::valueOf).toList();
        output.show(ids, String.join("\n", ids));
    }

    private long[] generate() {
        SnowflakeLayout chosen = layout.orDefault();
        Snowflake.Builder builder = Snowflake.builder().layout(chosen);
        if (worker == null && at == null && store.isGiven()) {
            try (OpenStore open = store.open(tables -> tables)) {
                return generate(builder.namespace(store.namespace()).leasedFrom(open.leases()));
            }
        }
        if (worker == null || store.isGiven()) {
            throw new BadInputException("give a worker id that no other process has with --worker, or a store that"
                    + " leases one: --url, --redis or --zookeeper; --at needs --worker");
        }
        return at == null
                ? generate(builder.workerId(worker).datacenterId(datacenter))
                : at(chosen, SnowflakeLayout.parseEpoch(at), worker);
    }

    private long[] generate(Snowflake.Builder builder) {
        try (Snowflake snowflake = builder.build()) {
            return snowflake.nextIds(count);
        }
    }

    private long[] at(SnowflakeLayout chosen, Instant time, int ofWorker) {
        if (count > chosen.idsPerTick()) {
            throw new BadInputException("a tick of layout " + chosen + " has " + chosen.idsPerTick()
                    + " ids of one worker, got " + count + "; request fewer ids, or omit the time");
        }
        long[] ids = new long[count];
        Arrays.setAll(ids, i -> chosen.compose(new SnowflakeParts(time, datacenter, ofWorker, i)));
        return ids;
    }
}
