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

/** Facts of the host and the process that determine a worker id. Tests provide their own. */
interface Host {

    /** The host on which this JVM runs. */
    Host LOCAL = new Local();

    /** Returns the value of an environment variable, or null if it is not set. */
    @Nullable
    String variable(String name);

    /** Returns the value of a system property, or null if it is not set. */
    @Nullable
    String property(String name);

    /**
     * Returns the name of the host. May query DNS.
     *
     * @throws UnknownHostException if the host has no name
     */
    String name() throws UnknownHostException;

    /** Returns the network interfaces that are up, without loopback. */
    List<Interface> interfaces() throws SocketException;

    /**
     * A network interface.
     *
     * @param mac the hardware address as a number, or empty if it has none
     */
    record Interface(String name, List<InetAddress> addresses, OptionalLong mac) {}

    /** Returns the bytes of an address as one number; if there are more than eight, the last eight. */
    static long bits(byte[] address) {
        long bits = 0;
        for (byte each : address) {
            bits = (bits << Byte.SIZE) | (each & 0xFF);
        }
        return bits;
    }

    /** Reads the facts from the JVM and the operating system. */
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
            String name = System.getenv("HOSTNAME"); // set by Kubernetes and most shells; needs no DNS query
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
