/** Names, scripts and short transactions with a timeout, for idgen's tables. */
@NullMarked
package io.idgen.jdbc.internal.sql;

import org.jspecify.annotations.NullMarked;
