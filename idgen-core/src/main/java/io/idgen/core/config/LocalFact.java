package io.idgen.core.config;

import io.idgen.core.ConfigurationException;
import io.idgen.core.ErrorCode;
import io.idgen.core.internal.time.Characters;
import io.idgen.core.layout.SnowflakeLayout;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
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
 *   <li>The application's {@link WorkerIdAssigner}. It is called once, so that all sources have the same number.
 * </ul>
 */
final class LocalFact {
    private static final String SINGLE_PROCESS = "single-process";

    private final String kind;
    private final @Nullable String argument;
    private final @Nullable WorkerIdAssigner application;
    private @Nullable Integer assigned;

    private LocalFact(String kind, @Nullable String argument, @Nullable WorkerIdAssigner application) {
        this.kind = kind;
        this.argument = argument;
        this.application = application;
    }

    /** A datacenter id and a worker id, each in range. */
    record Worker(int datacenter, int worker) {

        /** Throws if an id does not fit in the layout. */
        static Worker of(SnowflakeLayout layout, int datacenter, int worker) {
            layout.packWorker(datacenter, worker);
            return new Worker(datacenter, worker);
        }
    }

    static LocalFact of(WorkerIdAssigner application) {
        return new LocalFact(application.getClass().getName(), null, application);
    }

    static LocalFact parse(String text) {
        if (!isKnown(text)) {
            throw new IllegalArgumentException(
                    "an assigner is fixed, env, env:VARIABLE, property:NAME, ordinal, ip, ip:INTERFACE, mac, mac:INTERFACE,"
                            + " single-process or the name of a class, got '" + text + "'");
        }
        String[] words = text.strip().split(":", 2);
        return new LocalFact(words[0], words.length == 2 ? words[1].strip() : null, null);
    }

    static boolean isKnown(String text) {
        String[] words = text.strip().split(":", 2);
        return switch (words[0]) {
            case "fixed", "ordinal", SINGLE_PROCESS -> words.length == 1;
            case "env", "ip", "mac" -> words.length == 1 || !words[1].isBlank();
            case "property" -> words.length == 2 && !words[1].isBlank();
            default -> false;
        };
    }

    /** Returns whether the user guarantees that there is no other process. */
    boolean isOnlyProcess() {
        return kind.equals(SINGLE_PROCESS);
    }

    /**
     * Returns the datacenter id and worker id of this process. If no datacenter id is configured, {@code ip} and {@code
     * mac} fill its bits too.
     *
     * @param datacenter the configured one
     * @param worker the configured one
     * @throws IllegalArgumentException if the fact does not fit; the message says what was found
     * @throws ConfigurationException if the fact is missing or ambiguous
     */
    Worker assign(SnowflakeLayout layout, Optional<Integer> datacenter, Optional<Integer> worker, Host host) {
        if (application != null) {
            return assigned(application, layout, datacenter.orElse(0), worker);
        }
        long bits;
        try {
            bits = switch (kind) {
                case "fixed" -> {
                    if (worker.isEmpty()) {
                        throw missing("nothing says which worker this process is");
                    }
                    yield worker.get();
                }
                case "env" -> {
                    String name = argument == null ? "IDGEN_WORKER_ID" : argument;
                    yield number("environment variable " + name, host.variable(name));
                }
                case "property" -> number("system property " + argument, host.property("" + argument));
                case "ordinal" -> ordinal(host.name());
                case "ip" -> address(host);
                case "mac" -> mac(host);
                default -> worker.orElse(0);
            };
        } catch (IllegalStateException | IOException e) {
            throw new ConfigurationException(
                    ErrorCode.WORKER_ID_UNKNOWN,
                    (e instanceof IOException ? "assigner " + this + " fails: " + e : e.getMessage())
                            + "; set idgen.jdbc.data-source or idgen.jdbc.url (module idgen-jdbc), and the worker id is leased from"
                            + " that database, or set idgen.worker.id to a number from 0 to "
                            + ((1L << layout.workerBits()) - 1) + " that no other process has");
        }
        if (!kind.equals("ip") && !kind.equals("mac")) {
            return Worker.of(layout, datacenter.orElse(0), (int) bits);
        }
        int upper = (int) ((bits >>> layout.workerBits()) & ((1L << layout.datacenterBits()) - 1));
        return Worker.of(layout, datacenter.orElse(upper), (int) (bits & ((1L << layout.workerBits()) - 1)));
    }

    private Worker assigned(
            WorkerIdAssigner assigner, SnowflakeLayout layout, int datacenter, Optional<Integer> configured) {
        if (configured.isPresent()) {
            throw new IllegalArgumentException("is set to " + configured.get() + ", and " + this
                    + " gives the worker id; leave one of them out, or set idgen.worker.assigner=fixed");
        }
        int number = once(assigner);
        try {
            return Worker.of(layout, datacenter, number);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    this + " gives worker id " + number + ": " + e.getMessage()
                            + "; choose an idgen.snowflake.layout with more worker bits, or number the processes from 0",
                    e);
        }
    }

    private synchronized int once(WorkerIdAssigner assigner) {
        if (assigned == null) {
            try {
                assigned = assigner.workerId();
            } catch (ConfigurationException e) {
                throw e;
            } catch (RuntimeException e) {
                throw new ConfigurationException(
                        ErrorCode.WORKER_ID_UNKNOWN,
                        Characters.line(this + " cannot tell the worker id of this process: " + e
                                + "; correct what it reads, or set idgen.worker.assigner to another assigner"),
                        e);
            }
        }
        return assigned;
    }

    /** A fact that is missing or ambiguous. */
    private static IllegalStateException missing(String fact) {
        return new IllegalStateException(fact);
    }

    private static int number(String name, @Nullable String text) {
        if (text == null || !text.strip().matches("\\d{1,9}")) {
            throw missing(name + (text == null ? " is not set" : " is '" + text + "', no worker id"));
        }
        return Integer.parseInt(text.strip());
    }

    private static int ordinal(String hostName) {
        Matcher matcher = Pattern.compile(".*?-(\\d{1,9})(?:\\..*)?").matcher(hostName);
        if (!matcher.matches()) {
            throw missing("the host's name '" + hostName + "' does not end in a number after a hyphen, as app-3 does");
        }
        return Integer.parseInt(matcher.group(1));
    }

    private long address(Host host) throws IOException {
        List<InetAddress> all = interfaces(host).stream()
                .flatMap(each -> each.addresses().stream())
                .toList();
        List<InetAddress> usable = all.stream()
                .filter(each -> each instanceof Inet4Address && !each.isLoopbackAddress() && !each.isLinkLocalAddress())
                .toList();
        String found = all.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", ", " (", ")"));
        return Host.bits(only(usable, "IPv4 address", found).getAddress());
    }

    private long mac(Host host) throws IOException {
        List<Long> found = interfaces(host).stream()
                .flatMap(each -> each.mac().stream().boxed())
                .toList();
        return only(found, "hardware address", "");
    }

    private <T> T only(List<T> found, String what, String all) {
        if (found.size() != 1) {
            throw missing("the host must have exactly one " + what + " for assigner " + kind + ", and has "
                    + found.size() + all + "; name its interface, as in " + kind + ":eth0");
        }
        return found.get(0);
    }

    private List<Host.Interface> interfaces(Host host) throws IOException {
        List<Host.Interface> all = host.interfaces();
        if (argument == null) {
            return all;
        }
        List<Host.Interface> named =
                all.stream().filter(each -> each.name().equals(argument)).toList();
        if (named.isEmpty()) {
            throw missing("no network interface is called " + argument + "; there are "
                    + all.stream().map(Host.Interface::name).collect(Collectors.joining(", ")));
        }
        return named;
    }

    @Override
    public String toString() {
        return argument == null ? kind : kind + ":" + argument;
    }
}
