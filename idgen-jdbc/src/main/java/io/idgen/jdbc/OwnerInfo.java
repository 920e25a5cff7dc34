package io.idgen.jdbc;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The text of the column {@code owner_info}, which shows people who holds a worker id. It fits the column everywhere.
 */
final class OwnerInfo {
    /** The id of this process and the name of its host. */
    static final String PROCESS = process();

    private static final int LONGEST = 255;

    private OwnerInfo() {}

    /** Returns the name of the application, the id of this process, and the name of its host. */
    static String of(String application) {
        int longest = Math.max(0, LONGEST - PROCESS.length() - 1);
        String name = application.substring(0, Math.min(application.length(), longest));
        return fit(name + " " + PROCESS);
    }

    private static String process() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "a host without a name";
        }
        return fit(ProcessHandle.current().pid() + "@" + host);
    }

    /** The column counts bytes on some databases, and some databases do not support characters outside ASCII. */
    private static String fit(String text) {
        return text.substring(0, Math.min(text.length(), LONGEST)).replaceAll("[^ -~]", "?");
    }
}
