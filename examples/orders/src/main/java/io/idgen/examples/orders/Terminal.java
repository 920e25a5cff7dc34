package io.idgen.examples.orders;

import java.io.Console;
import java.util.Objects;

/** The terminal of the example, if there is one. */
final class Terminal {
    private Terminal() {}

    @SuppressWarnings("SystemConsoleNull") // null without a terminal before JDK 22; since then, call isTerminal()
    static boolean isThere() {
        Console console = System.console();
        try {
            return console != null
                    && (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot ask the console whether it is a terminal", e);
        }
    }

    static String askForPassword(String user) {
        char[] typed = Objects.requireNonNull(System.console()).readPassword("Password of %s: ", user);
        return typed == null ? "" : new String(typed);
    }
}
