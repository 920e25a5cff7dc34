package io.idgen.jdbc.testing;

import java.io.ByteArrayOutputStream;

/**
 * Follows the messages of one connection to PostgreSQL, so that a proxy knows where an answer ends. A client that gets
 * a part of a swallowed answer would take all later answers for those of other requests.
 *
 * @see <a href="https://www.postgresql.org/docs/18/protocol-message-formats.html">Message Formats</a>
 */
final class PostgreSqlExchange {
    private static final String SYNC_AND_QUERY = "SQ";
    private static final String READY_FOR_QUERY = "Z";

    private final ByteArrayOutputStream request = new ByteArrayOutputStream();
    private final Messages sent = new Messages(SYNC_AND_QUERY);
    private final Messages received = new Messages(READY_FOR_QUERY);
    private boolean isLoggedIn;
    private boolean isOver = true;
    private int expected; // by the request
    private int pending;

    /** Counts the messages of some types in a stream. A message is a type, its length in four bytes, and a body. */
    private static final class Messages {
        private final String types;
        private int left; // of the present message
        private int header;
        private int length;
        private boolean isCounted;

        Messages(String types) {
            this.types = types;
        }

        /** Returns how many messages end in this part. */
        int count(byte[] part, int size) {
            int ended = 0;
            for (int at = 0; at < size; at++) {
                if (header == 0) {
                    isCounted = types.indexOf(part[at]) >= 0;
                    header = 1;
                    length = 0;
                } else if (header < 5) {
                    length = length << 8 | (part[at] & 0xff);
                    header++;
                    left = length - 4;
                } else {
                    left--;
                }
                if (header == 5 && left == 0) {
                    header = 0;
                    ended += isCounted ? 1 : 0;
                }
            }
            return ended;
        }
    }

    /** Adds a part of a request. */
    synchronized void requested(byte[] part, int size) {
        if (!isLoggedIn) {
            return;
        }
        if (isOver) {
            request.reset();
            expected = 0;
            isOver = false;
        }
        request.write(part, 0, size);
        int more = sent.count(part, size);
        expected += more;
        pending += more;
    }

    /** Adds a part of an answer, and returns whether the answer ends with it. */
    synchronized boolean answered(byte[] part, int size) {
        if (!isLoggedIn && size == 1) {
            return false; // the answer to a request for encryption has no length
        }
        int ready = received.count(part, size);
        if (!isLoggedIn) {
            isLoggedIn = ready > 0;
            return isLoggedIn;
        }
        pending -= ready;
        isOver = pending == 0;
        return isOver;
    }

    /** Returns the last request, which is sent again. */
    synchronized byte[] again() {
        pending += expected;
        isOver = false;
        return request.toByteArray();
    }
}
