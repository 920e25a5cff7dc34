package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.ExitCodes;
import io.idgen.cli.common.Output;
import io.idgen.cli.serve.InspectorServer;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Serves the inspector page. */
@Command(
        name = "serve",
        description = "Serves a page for browsers on this machine that decodes and generates ids. Stop it with Ctrl+C.")
final class Serve implements Callable<Integer> {
    private static final int HIGHEST_PORT = 65_535;

    @ParentCommand
    private Idgen idgen = new Idgen();

    @Mixin
    private Output output = new Output();

    @Option(
            names = "--port",
            paramLabel = "<port>",
            defaultValue = "8724",
            description = "The port; 0 for any free port. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Override
    public Integer call() throws InterruptedException {
        try (InspectorServer server = start()) {
            if (output.isJson()) {
                output.json(Map.of("url", server.url()));
            } else {
                output.print("The inspector is at " + server.url() + " (press Ctrl+C to stop it).");
            }
            new CountDownLatch(1).await();
        }
        return ExitCodes.OK;
    }

    private InspectorServer start() {
        if (port < 0 || port > HIGHEST_PORT) {
            throw new BadInputException(
                    "--port must be 0 to " + HIGHEST_PORT + ", got " + port + "; omit --port for 8724");
        }
        try {
            return InspectorServer.start(port, idgen.clock());
        } catch (IOException e) {
            throw new BadInputException(
                    "cannot listen on port " + port + " (" + e.getMessage()
                            + "); choose another port with --port, or any free port with --port 0",
                    e);
        }
    }
}
