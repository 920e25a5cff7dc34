/** Creates idgen's tables. */
@NullMarked
package io.idgen.jdbc.schema;

import org.jspecify.annotations.NullMarked;
