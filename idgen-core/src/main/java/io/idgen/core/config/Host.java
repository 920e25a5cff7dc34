package io.idgen.core.config;

import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Facts of the host and the process that a worker id can be taken from; a test makes up its own. */
interface Host {

    /** The host that this JVM runs on. */
    Host LOCAL = new Local();

    /** The value of an environment variable, or null. */
    @Nullable
    String variable(String name);

    /** The value of a system property, or null. */
    @Nullable
    String property(String name);

    /** The host's name; throws {@link UnknownHostException} if it has none. */
    String name() throws UnknownHostException;

    /** The network interfaces that are up, without loopback. */
    List<Interface> interfaces() throws SocketException;

    /**
     * A network interface.
     *
     * @param mac its hardware address as a number, if it has one
     */
    record Interface(String name, List<InetAddress> addresses, OptionalLong mac) {}

    /** The bytes of an address as one number; of more than eight, the last. */
    static long bits(byte[] address) {
        long bits = 0;
        for (byte each : address) {
            bits = (bits << Byte.SIZE) | (each & 0xFF);
        }
        return bits;
    }

    /** What the JVM and the operating system tell. */
    final class Local implements Host {
        @Override
        public @Nullable String variable(String name) {
            return System.getenv(name);
        }

        @Override
        public @Nullable String property(String name) {
            return System.getProperty(name);
        }

        @Override
        public String name() throws UnknownHostException {
            String name = System.getenv("HOSTNAME"); // what Kubernetes and most shells set; no look-up
            return name == null || name.isBlank() ? InetAddress.getLocalHost().getHostName() : name;
        }

        @Override
        public List<Interface> interfaces() throws SocketException {
            List<Interface> interfaces = new ArrayList<>();
            for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
                if (each.isUp() && !each.isLoopback()) {
                    List<InetAddress> addresses = each.getInterfaceAddresses().stream()
                            .map(InterfaceAddress::getAddress)
                            .toList();
                    byte[] mac = each.getHardwareAddress();
                    interfaces.add(new Interface(
                            each.getName(),
                            addresses,
                            mac == null || mac.length == 0 ? OptionalLong.empty() : OptionalLong.of(bits(mac))));
                }
            }
            return interfaces;
        }
    }
}
