package io.idgen.proof;

import org.jspecify.annotations.Nullable;

/**
 * A fault that has ended.
 *
 * @param victim the process that it struck; null if it struck the store, and so all processes
 * @param time from its beginning to its end
 */
record Trouble(Fault fault, @Nullable Client victim, Span time) {

    boolean strikes(Client client) {
        return victim == null || victim == client;
    }
}
