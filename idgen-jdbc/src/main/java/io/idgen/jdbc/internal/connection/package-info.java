/** idgen's own connections: from a pool or new for each request, within a time limit. */
@NullMarked
package io.idgen.jdbc.internal.connection;

import org.jspecify.annotations.NullMarked;
