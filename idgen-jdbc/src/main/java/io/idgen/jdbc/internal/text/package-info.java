/** SQL statements with their values. */
@NullMarked
package io.idgen.jdbc.internal.text;

import org.jspecify.annotations.NullMarked;
