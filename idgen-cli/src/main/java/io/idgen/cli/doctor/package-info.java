/** Examines worker ids and counters in a store, and repairs them. */
@NullMarked
package io.idgen.cli.doctor;

import org.jspecify.annotations.NullMarked;
