package io.idgen.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.config.WorkerIds.WorkerNumbers;
import io.idgen.core.layout.SnowflakeLayout;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerIdsTest {

    /** A host with the facts of a test. An empty host name stands for none. */
    private static final class Fake extends Host {
        private final String hostName;
        private final Map<String, String> variables;
        private final List<Interface> interfaces;

        Fake(String hostName, Map<String, String> variables, List<Interface> interfaces) {
            this.hostName = hostName;
            this.variables = variables;
            this.interfaces = interfaces;
        }

        @Override
        String variable(String variable) {
            return variables.get(variable);
        }

        @Override
        String name() throws UnknownHostException {
            if (hostName.isEmpty()) {
                throw new UnknownHostException("no such name");
            }
            return hostName;
        }

        @Override
        List<Interface> interfaces() {
            return interfaces;
        }
    }

    private static Host named(String name) {
        return new Fake(name, Map.of(), List.of());
    }

    private static Host with(Map<String, String> variables) {
        return new Fake("host", variables, List.of());
    }

    private static Host with(Host.Interface... interfaces) {
        return new Fake("host", Map.of(), List.of(interfaces));
    }

    private static Host.Interface network(String name, long mac, String... addresses) {
        return new Host.Interface(
                name,
                Arrays.stream(addresses).map(WorkerIdsTest::address).toList(),
                mac == 0 ? null : ByteBuffer.allocate(Long.BYTES).putLong(mac).array());
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text); // a numeric address needs no DNS query
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static WorkerNumbers assign(
            String assigner,
            SnowflakeLayout layout,
            Optional<Integer> datacenter,
            Optional<Integer> worker,
            Host host) {
        return new WorkerIds(host, new Strategies(host, List.of())).assign(assigner, layout, datacenter, worker);
    }

    private static WorkerNumbers assign(String assigner, Host host) {
        return assign(assigner, SnowflakeLayout.IDGEN, Optional.empty(), Optional.empty(), host);
    }

    private static ConfigurationException unknown(String assigner, Host host) {
        ConfigurationException e = assertThrows(ConfigurationException.class, () -> assign(assigner, host));
        assertThat(e.code()).isEqualTo(ErrorCode.WORKER_ID_UNKNOWN);
        assertThat(e).hasMessageContaining("set idgen.worker.id to a number from 0 to 31 that no other process has");
        return e;
    }

    @Test
    void fixedTakesTheSettingAndSingleProcessTakesZeroWithoutOne() {
        Host host = named("");
        Optional<Integer> three = Optional.of(3);

        assertThat(assign("fixed", SnowflakeLayout.IDGEN, Optional.of(1), three, host))
                .isEqualTo(new WorkerNumbers(1, 3));
        assertThat(assign("single-process", SnowflakeLayout.IDGEN, Optional.empty(), three, host))
                .isEqualTo(new WorkerNumbers(0, 3));
        assertThat(assign("single-process", host)).isEqualTo(new WorkerNumbers(0, 0));
        assertThat(unknown("fixed", host)).hasMessageContaining("nothing says which worker this process is");
    }

    @Test
    void aWorkerThatDoesNotFitIsRefused() {
        assertThat(assertThrows(
                        IllegalArgumentException.class,
                        () -> assign("fixed", SnowflakeLayout.IDGEN, Optional.empty(), Optional.of(32), named(""))))
                .hasMessageContainingAll("32", "31");
        assertThat(assertThrows(IllegalArgumentException.class, () -> assign("ordinal", named("app-32"))))
                .hasMessageContainingAll("32", "31");
    }

    @Test
    void variablesAreRead() {
        Host host = with(Map.of("IDGEN_WORKER_ID", "7", "POD", " 8 "));

        assertThat(assign("env", host)).isEqualTo(new WorkerNumbers(0, 7));
        assertThat(assign("env:POD", host)).isEqualTo(new WorkerNumbers(0, 8));
    }

    @ParameterizedTest
    @CsvSource({"app-3, 3", "my-app-0, 0", "app-31.orders.svc.cluster.local, 31", "web-2-17, 17"})
    void anOrdinalIsTheNumberAtTheEndOfTheHostsName(String name, int worker) {
        assertThat(assign("ordinal", named(name))).isEqualTo(new WorkerNumbers(0, worker));
    }

    @ParameterizedTest
    @ValueSource(strings = {"app", "app3", "app-3a", "app-", "app-7d9f5c-x2x4z", "3", "app-1234567890"})
    void aHostsNameWithoutAnOrdinalIsRefused(String name) {
        assertThat(unknown("ordinal", named(name)))
                .hasMessageContaining("'" + name + "' does not end in a number after a hyphen");
    }

    @Test
    void anAddressFillsDatacenterAndWorkerWithItsLastBits() {
        // 10.0.1.37 ends in the bits 01 00100101; its last ten bits are 01001 00101
        Host host = with(network("eth0", 0, "10.0.1.37", "fe80::1"));

        assertThat(assign("ip", host)).isEqualTo(new WorkerNumbers(9, 5));
        assertThat(assign("ip:eth0", host)).isEqualTo(new WorkerNumbers(9, 5));
        assertThat(assign("ip", SnowflakeLayout.IDGEN, Optional.of(2), Optional.empty(), host))
                .isEqualTo(new WorkerNumbers(2, 5));
        assertThat(assign("ip", SnowflakeLayout.parse("41-16-6"), Optional.empty(), Optional.empty(), host))
                .isEqualTo(new WorkerNumbers(0, 256 + 37));
    }

    @Test
    void severalAddressesOrNoneAreRefusedWithWhatWasFound() {
        Host two = with(network("eth0", 0, "10.0.1.37"), network("eth1", 0, "192.168.0.2"));

        assertThat(unknown("ip", two))
                .hasMessageContainingAll(
                        "exactly one IPv4 address", "has 2", "eth0 10.0.1.37, eth1 192.168.0.2", "ip:eth0");
        assertThat(assign("ip:eth1", two)).isEqualTo(new WorkerNumbers(0, 2));
        assertThat(unknown("ip", with(network("eth0", 0, "fe80::1", "169.254.3.4"))))
                .hasMessageContaining("has 0");
        assertThat(unknown("ip:wlan0", two))
                .hasMessageContaining(
                        "for assigner ip:wlan0, and has 0 []; name its interface, as in ip:eth0; there are [eth0, eth1]");
    }

    @Test
    void aHardwareAddressFillsDatacenterAndWorkerWithItsLastBits() {
        Host host = with(network("eth0", 0x0242AC11_0125L, "10.0.1.37"), network("tun0", 0));

        assertThat(assign("mac", host)).isEqualTo(new WorkerNumbers(9, 5));
        assertThat(assign("mac:eth0", host)).isEqualTo(new WorkerNumbers(9, 5));
        assertThat(unknown("mac:tun0", host)).hasMessageContaining("exactly one hardware address");
        assertThat(unknown("mac", with(network("eth0", 1), network("eth1", 2)))).hasMessageContaining("has 2");
    }
}
