package io.idgen.core.config;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Facts of the host and the process that determine a worker id. Tests provide their own. */
class Host {
    /** The host on which this JVM runs. */
    static final Host LOCAL = new Host();

    /**
     * A network interface that is up, without loopback.
     *
     * @param mac the hardware address; null if it has none
     */
    record Interface(String name, List<InetAddress> addresses, byte @Nullable [] mac) {

        /** Returns the IPv4 addresses that other hosts can reach. */
        List<InetAddress> reachable() {
            return addresses.stream()
                    .filter(each ->
                            each instanceof Inet4Address && !each.isLoopbackAddress() && !each.isLinkLocalAddress())
                    .toList();
        }
    }

    /** Returns the value of an environment variable, or null if it is not set. */
    @Nullable
    String variable(String name) {
        return System.getenv(name);
    }

    /**
     * Returns the name of the host. May query DNS.
     *
     * @throws UnknownHostException if the host has no name
     */
    String name() throws UnknownHostException {
        String name = System.getenv("HOSTNAME"); // set by Kubernetes and most shells; needs no DNS query
        return name == null || name.isBlank() ? InetAddress.getLocalHost().getHostName() : name;
    }

    List<Interface> interfaces() throws SocketException {
        List<Interface> interfaces = new ArrayList<>();
        for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
            if (each.isUp() && !each.isLoopback()) {
                List<InetAddress> addresses = each.getInterfaceAddresses().stream()
                        .map(InterfaceAddress::getAddress)
                        .toList();
                interfaces.add(new Interface(each.getName(), addresses, each.getHardwareAddress()));
            }
        }
        return interfaces;
    }
}
