package io.idgen.core.internal.lease;

import io.idgen.core.internal.window.Window;
import io.idgen.core.lease.LeaseStore.RowState;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The generators of this JVM that share a window, and with it the reservation of its worker id. They have one token,
 * and each may find a statement of another one in the row. A window that is opened after a checkpoint has another
 * token. Safe for many threads.
 */
final class ReservationPeers {
    /**
     * The prefix of tokens. The hyphen shows that ids end below the horizon: see {@link RowState#usedUntilMillis}.
     */
    private static final String TOKEN = "process-";

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Map<Window, ReservationPeers> BY_WINDOW = new WeakHashMap<>();

    private final String token;

    /**
     * The last state of each generator. It remains when one is closed, because others may find it in the row.
     * References no generator: those reference the window.
     */
    private final Map<Object, ReservationState> states = new ConcurrentHashMap<>();

    private ReservationPeers() {
        this.token = TOKEN + randomText();
    }

    /** Returns 16 random digits. */
    static String randomText() {
        return String.format("%016x", RANDOM.nextLong());
    }

    static ReservationPeers of(Window window) {
        synchronized (BY_WINDOW) {
            return BY_WINDOW.computeIfAbsent(window, any -> new ReservationPeers());
        }
    }

    String token() {
        return token;
    }

    void knows(Object member, ReservationState state) {
        states.put(member, state);
    }

    /** Returns the first tick of this process if it has written the row as it is now; otherwise null. */
    @Nullable
    Long floorTickIn(RowState seen) {
        return states.values().stream()
                .map(state -> state.floorTickIn(seen))
                .filter(Objects::nonNull)
                .findAny()
                .orElse(null);
    }
}
