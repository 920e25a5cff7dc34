package io.idgen.ignite;

import io.idgen.core.lease.Finding;
import io.idgen.ops.Doctor;
import io.idgen.ops.IdgenTables;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteJdbcThinDataSource;
import org.apache.ignite.Ignition;
import org.apache.ignite.calcite.CalciteQueryEngineConfiguration;
import org.apache.ignite.configuration.ClientConnectorConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.configuration.SqlConfiguration;
import org.apache.ignite.configuration.TransactionConfiguration;
import org.apache.ignite.internal.processors.odbc.ClientListenerProcessor;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;

/** A process that starts a node of Apache Ignite, runs the race on it, and prints the findings, one per line. */
final class IgniteNode {
    private IgniteNode() {}

    public static void main(String[] args) throws Exception {
        try (Ignite node = Ignition.start(new IgniteConfiguration()
                .setWorkDirectory(Path.of(args[0]).toAbsolutePath().toString())
                .setLocalHost("127.0.0.1")
                .setDiscoverySpi(new TcpDiscoverySpi().setIpFinder(new TcpDiscoveryVmIpFinder(true))) // no other node
                .setClientConnectorConfiguration(
                        new ClientConnectorConfiguration().setHost("127.0.0.1").setPort(20_800))
                .setTransactionConfiguration(new TransactionConfiguration().setTxAwareQueriesEnabled(true))
                .setSqlConfiguration(new SqlConfiguration()
                        .setQueryEnginesConfiguration(new CalciteQueryEngineConfiguration().setDefault(true))))) {
            IgniteJdbcThinDataSource dataSource = new IgniteJdbcThinDataSource();
            Integer port = node.cluster().localNode().attribute(ClientListenerProcessor.CLIENT_LISTENER_PORT);
            dataSource.setUrl("jdbc:ignite:thin://127.0.0.1:" + port);
            warmUp(dataSource);
            for (Finding finding : Doctor.of(new IdgenTables(dataSource), InstantSource.system())
                    .race(8, 40)) {
                System.out.println(finding.level() + " " + finding.subject() + " " + finding.text());
            }
        }
    }

    /** Runs each kind of statement once, because the first one takes seconds. */
    private static void warmUp(IgniteJdbcThinDataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE warm (name VARCHAR PRIMARY KEY, next_id BIGINT)"
                    + " WITH \"ATOMICITY=TRANSACTIONAL\"");
            statement.execute("INSERT INTO warm (name, next_id) VALUES ('a', 1)");
            statement.execute("UPDATE warm SET next_id = 2 WHERE name = 'a' AND next_id = 1");
            statement.execute("SELECT next_id FROM warm WHERE name = 'a'");
        }
    }
}
