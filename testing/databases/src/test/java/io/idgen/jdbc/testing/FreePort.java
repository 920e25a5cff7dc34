package io.idgen.jdbc.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Finds a free port of this machine. The ports lie below those of outgoing connections, so that no connection takes one
 * before a server does. Each test process begins at another port, so two of them do not find the same one.
 */
public final class FreePort {
    private static final int FIRST = 10_000;
    private static final int PORTS = 20_000;
    private static final int OF_A_PROCESS = 101;

    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * OF_A_PROCESS % PORTS));

    private FreePort() {}

    /** Returns a port at which a server can listen now. */
    public static int find() {
        for (int i = 0; i < PORTS; i++) {
            int port = FIRST + NEXT.getAndIncrement() % PORTS;
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("all ports from " + FIRST + " to " + (FIRST + PORTS - 1) + " are in use");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
