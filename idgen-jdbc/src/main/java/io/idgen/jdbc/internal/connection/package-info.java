/** Connections of idgen's own: pooled or opened for each request, acquired within a time limit. */
@NullMarked
package io.idgen.jdbc.internal.connection;

import org.jspecify.annotations.NullMarked;
