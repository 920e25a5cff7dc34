/** Moves an existing id to BIGINT, and to ids before the insert, while old and new versions of an application run. */
@NullMarked
package io.idgen.migrate;

import org.jspecify.annotations.NullMarked;
