/** Statements and transactions on idgen's tables: names, scripts, and short transactions with a timeout. */
@NullMarked
package io.idgen.jdbc.internal.sql;

import org.jspecify.annotations.NullMarked;
