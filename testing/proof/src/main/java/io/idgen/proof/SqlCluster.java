package io.idgen.proof;

import io.idgen.jdbc.testing.Cluster;
import io.idgen.jdbc.testing.GaleraCluster;
import io.idgen.jdbc.testing.MySqlGroup;
import java.sql.SQLException;
import java.util.Set;

/**
 * Three nodes that commit together. Each process uses a node of its own in Galera, and the primary in Group
 * Replication. When a node is down, its processes use another one.
 */
final class SqlCluster extends SqlStore {
    private static final int NONE = -1;

    private final Cluster cluster;
    private int primary = NONE; // none in Galera
    private int down = NONE;

    SqlCluster(Kind kind) throws Exception {
        if (kind == Kind.GALERA) {
            cluster = GaleraCluster.started();
        } else {
            MySqlGroup group = new MySqlGroup();
            group.becomeSinglePrimary(0);
            primary = 0;
            cluster = group;
        }
        for (int node = 0; node < Cluster.NODES; node++) {
            allowFunctions(cluster.url(node));
        }
        createTables();
    }

    @Override
    public String version() throws SQLException {
        return (cluster instanceof GaleraCluster ? "Galera, " : "Group Replication, ") + super.version();
    }

    @Override
    public String url(int process) {
        int node = primary != NONE ? primary : process % Cluster.NODES;
        return cluster.url(node == down ? (node + 1) % Cluster.NODES : node);
    }

    @Override
    public Set<Fault> faults() {
        return cluster instanceof GaleraCluster
                ? Set.of(Fault.DATABASE_KILLED, Fault.CONNECTIONS_USED_UP, Fault.ALL_KILLED)
                : Set.of(Fault.LEADER_KILLED, Fault.CONNECTIONS_USED_UP);
    }

    @Override
    public Cure strike(Fault fault, double extent) throws Exception {
        return switch (fault) {
            case CONNECTIONS_USED_UP -> useUpConnections();
            case DATABASE_KILLED -> {
                down = (int) (extent * Cluster.NODES);
                cluster.kill(down);
                yield this::restart;
            }
            case LEADER_KILLED -> {
                down = primary;
                primary = ((MySqlGroup) cluster).killPrimary(down);
                yield this::restart;
            }
            case ALL_KILLED -> {
                GaleraCluster galera = (GaleraCluster) cluster;
                galera.killAll();
                yield galera::bootstrapFromTheMostAdvanced;
            }
            default -> throw new IllegalArgumentException(fault.text());
        };
    }

    private void restart() throws Exception {
        cluster.restart(down);
        down = NONE;
    }

    @Override
    public void close() {
        cluster.close();
    }
}
