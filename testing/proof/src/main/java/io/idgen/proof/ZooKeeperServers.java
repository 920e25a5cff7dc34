package io.idgen.proof;

import io.idgen.zookeeper.ThreeServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** An ensemble of three servers in this JVM. A process uses one of them, and another one when it is down. */
final class ZooKeeperServers implements Store {
    private static final int COUNT = 3;

    private final ThreeServers servers;
    private List<Integer> down = List.of();

    ZooKeeperServers() throws Exception {
        servers = new ThreeServers();
    }

    @Override
    public String version() {
        return "ZooKeeper";
    }

    @Override
    public String url(int process) {
        List<Integer> up = new ArrayList<>(List.of(0, 1, 2));
        if (down.size() < COUNT) {
            up.removeAll(down);
        }
        return "zookeeper://127.0.0.1:" + servers.port(up.get(process % up.size())) + "/";
    }

    @Override
    public Set<Fault> faults() {
        return Set.of(Fault.DATABASE_KILLED, Fault.LEADER_KILLED, Fault.ALL_KILLED, Fault.SERVERS_CLOCK_STEPPED);
    }

    @Override
    public Cure strike(Fault fault, double extent) throws Exception {
        down = switch (fault) {
            case DATABASE_KILLED -> List.of((servers.leaderNumber() + 1) % COUNT);
            case LEADER_KILLED -> List.of(servers.leaderNumber());
            case ALL_KILLED -> List.of(0, 1, 2);
            default -> throw new IllegalArgumentException(fault.text());
        };
        ThreeServers.Recovery recovery = servers.kill(down);
        return () -> {
            recovery.run();
            down = List.of();
        };
    }

    @Override
    public void close() {
        try {
            servers.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
