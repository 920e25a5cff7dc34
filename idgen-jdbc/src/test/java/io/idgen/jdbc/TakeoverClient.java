package io.idgen.jdbc;

import io.idgen.jdbc.testing.ChildJvm;
import io.idgen.jdbc.testing.FaultProxy;
import io.idgen.jdbc.testing.IdLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Controls a {@link TakeoverProcess} with its own network, and reads its ids, even after the process was killed. */
final class TakeoverClient implements AutoCloseable {
    final FaultProxy network;
    private final ChildJvm process;
    private final Map<TakeoverStrategy, IdLog> ids;
    private final Map<TakeoverStrategy, IdLog> controlIds;

    private TakeoverClient(FaultProxy network, Path folder) throws IOException {
        this.network = network;
        this.process = ChildJvm.start(TakeoverProcess.class, List.of(network.url(), folder.toString()));
        this.ids = logs(folder, false);
        this.controlIds = logs(folder, true);
    }

    private static Map<TakeoverStrategy, IdLog> logs(Path folder, boolean control) throws IOException {
        Map<TakeoverStrategy, IdLog> logs = new EnumMap<>(TakeoverStrategy.class);
        for (TakeoverStrategy strategy : TakeoverStrategy.values()) {
            logs.put(strategy, TakeoverProcess.log(folder, strategy, control));
        }
        return logs;
    }

    /** Starts a process, which does not generate ids yet. */
    static TakeoverClient start(String url, Path parent) throws IOException {
        return new TakeoverClient(FaultProxy.before(url), Files.createTempDirectory(parent, "process"));
    }

    TakeoverClient draw() throws IOException {
        process.awaits(TakeoverProcess.READY);
        process.tell(TakeoverProcess.DRAW);
        return this;
    }

    /** The ids with idgen's defaults. */
    Map<TakeoverStrategy, IdLog> ids() {
        return ids;
    }

    /** The ids of the control, without the identity of the server. */
    Map<TakeoverStrategy, IdLog> controlIds() {
        return controlIds;
    }

    /** Kills the process, as a power failure does. Its ids remain readable. */
    void kill() {
        process.kill();
        network.close();
    }

    @Override
    public void close() {
        kill();
    }
}
