package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.layout.SnowflakeLayout;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Determines the worker id of a process from one local fact. If the fact is missing or ambiguous, the start fails and
 * the message says what was found; a guess would lead to duplicates. No assigner sees other processes. With a store,
 * such a worker id is leased (except for {@code single-process}), so the second of two processes that share the fact is
 * refused. Without a store, they collide.
 *
 * <ul>
 *   <li>{@code fixed}: {@code idgen.worker.id}. Collides when one configuration is deployed twice.
 *   <li>{@code env}, {@code env:NAME}, {@code property:NAME}: an environment variable (by default {@code
 *       IDGEN_WORKER_ID}) or a system property. Collides like {@code fixed}; right if a scheduler numbers its
 *       instances.
 *   <li>{@code ordinal}: the number at the end of the host name, as in {@code app-3} of a StatefulSet. Collides between
 *       two StatefulSets on one table, and if a pod that was deleted by force still runs when its successor starts.
 *   <li>{@code ip}, {@code ip:INTERFACE}: the last bits of the host's only IPv4 address, as many as the layout has for
 *       datacenter and worker. Collides between hosts that differ only in the bits above, behind NAT, between
 *       containers on different hosts with the same private network, and between two processes of one host.
 *   <li>{@code mac}, {@code mac:INTERFACE}: the last bits of the only hardware address. They are like random numbers:
 *       with 10 bits, 38 hosts collide with a probability of one half. Also collides between two processes of one host,
 *       and if virtual hosts or containers are cloned with their address.
 *   <li>{@code single-process}: the user guarantees that there is no other process.
 * </ul>
 */
record HostFact(Kind kind, @Nullable String argument) implements LocalFact {
    private static final Pattern ORDINAL = Pattern.compile(".*?-(\\d{1,9})(?:\\..*)?");
    private static final String DEFAULT_VARIABLE = "IDGEN_WORKER_ID";

    /** The fact that determines the worker id. */
    enum Kind {
        FIXED("fixed"),
        ENV("env"),
        PROPERTY("property"),
        ORDINAL("ordinal"),
        IP("ip"),
        MAC("mac"),
        SINGLE_PROCESS("single-process");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    /** Whether a text names a class, with its package, and not one of the kinds, which have a colon before any dot. */
    static boolean isClassName(String text) {
        return text.contains(".") && !text.contains(":");
    }

    static HostFact parse(String text) {
        String[] words = text.strip().split(":", 2);
        for (Kind kind : Kind.values()) {
            boolean named = kind == Kind.ENV || kind == Kind.PROPERTY || kind == Kind.IP || kind == Kind.MAC;
            boolean complete = words.length == 2 ? named && !words[1].isBlank() : kind != Kind.PROPERTY;
            if (kind.text.equals(words[0]) && complete) {
                return new HostFact(kind, words.length == 2 ? words[1].strip() : null);
            }
        }
        throw new IllegalArgumentException(
                "an assigner is fixed, env, env:VARIABLE, property:NAME, ordinal, ip, ip:INTERFACE, mac, mac:INTERFACE,"
                        + " single-process or the name of a class, got '" + text + "'");
    }

    /** {@inheritDoc} If no datacenter id is configured, {@code ip} and {@code mac} fill its bits too. */
    @Override
    public Worker assign(SnowflakeLayout layout, Optional<Integer> datacenter, Optional<Integer> worker, Host host) {
        return switch (kind) {
            case FIXED ->
                checked(
                        layout,
                        datacenter,
                        worker.orElseThrow(() -> missing(layout, "nothing says which worker this process is")));
            case SINGLE_PROCESS -> checked(layout, datacenter, worker.orElse(0));
            case ENV -> checked(layout, datacenter, number(layout, "environment variable", host::variable));
            case PROPERTY -> checked(layout, datacenter, number(layout, "system property", host::property));
            case ORDINAL -> checked(layout, datacenter, ordinal(layout, host));
            case IP -> lowBits(layout, datacenter, address(layout, host));
            case MAC -> lowBits(layout, datacenter, mac(layout, host));
        };
    }

    @Override
    public boolean isOnlyProcess() {
        return kind == Kind.SINGLE_PROCESS;
    }

    private static Worker checked(SnowflakeLayout layout, Optional<Integer> datacenter, int worker) {
        return Worker.of(layout, datacenter.orElse(0), worker);
    }

    /** Returns the last bits of an address, as one number over datacenter and worker if no datacenter id is set. */
    private static Worker lowBits(SnowflakeLayout layout, Optional<Integer> datacenter, long address) {
        int worker = (int) (address & ((1L << layout.workerBits()) - 1));
        int upper = (int) ((address >>> layout.workerBits()) & ((1L << layout.datacenterBits()) - 1));
        return checked(layout, Optional.of(datacenter.orElse(upper)), worker);
    }

    private int number(SnowflakeLayout layout, String kindOfName, Function<String, @Nullable String> lookup) {
        String name = argument == null ? DEFAULT_VARIABLE : argument;
        String text = lookup.apply(name);
        if (text == null || !text.strip().matches("\\d{1,9}")) {
            throw missing(
                    layout,
                    kindOfName + " " + name + (text == null ? " is not set" : " is '" + text + "', no worker id"));
        }
        return Integer.parseInt(text.strip());
    }

    private static int ordinal(SnowflakeLayout layout, Host host) {
        String name;
        try {
            name = host.name();
        } catch (UnknownHostException e) {
            throw missing(layout, "the host has no name (" + e.getMessage() + ")");
        }
        Matcher matcher = ORDINAL.matcher(name);
        if (!matcher.matches()) {
            throw missing(
                    layout, "the host's name '" + name + "' does not end in a number after a hyphen, as app-3 does");
        }
        return Integer.parseInt(matcher.group(1));
    }

    private long address(SnowflakeLayout layout, Host host) {
        List<InetAddress> all = interfaces(layout, host).stream()
                .flatMap(each -> each.addresses().stream())
                .toList();
        List<Inet4Address> usable = all.stream()
                .filter(Inet4Address.class::isInstance)
                .map(Inet4Address.class::cast)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .toList();
        if (usable.size() != 1) {
            throw missing(
                    layout,
                    "the host must have exactly one IPv4 address for assigner ip, and has " + usable.size() + " ("
                            + all.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "))
                            + "); name its interface, as in ip:eth0");
        }
        return Host.bits(usable.get(0).getAddress());
    }

    private long mac(SnowflakeLayout layout, Host host) {
        List<Long> found = interfaces(layout, host).stream()
                .flatMap(each -> each.mac().stream().boxed())
                .toList();
        if (found.size() != 1) {
            throw missing(
                    layout,
                    "the host must have exactly one hardware address for assigner mac, and has " + found.size()
                            + "; name its interface, as in mac:eth0");
        }
        return found.get(0);
    }

    private List<Host.Interface> interfaces(SnowflakeLayout layout, Host host) {
        List<Host.Interface> all;
        try {
            all = host.interfaces();
        } catch (SocketException e) {
            throw missing(layout, "the network interfaces cannot be listed (" + e.getMessage() + ")");
        }
        if (argument == null) {
            return all;
        }
        List<Host.Interface> named =
                all.stream().filter(each -> each.name().equals(argument)).toList();
        if (named.isEmpty()) {
            throw missing(
                    layout,
                    "no network interface is called " + argument + "; there are "
                            + all.stream().map(Host.Interface::name).collect(Collectors.joining(", ")));
        }
        return named;
    }

    private static ConfigurationException missing(SnowflakeLayout layout, String fact) {
        return new ConfigurationException(
                ErrorCode.WORKER_ID_UNKNOWN,
                fact
                        + "; set idgen.jdbc.data-source or idgen.jdbc.url (module idgen-jdbc), and the worker id is leased from"
                        + " that database, or set idgen.worker.id to a number from 0 to "
                        + ((1L << layout.workerBits()) - 1) + " that no other process has");
    }

    @Override
    public String toString() {
        return argument == null ? kind.text : kind.text + ":" + argument;
    }
}
