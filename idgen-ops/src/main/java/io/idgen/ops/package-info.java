/** Examines and repairs worker ids in any store that offers its rows, and idgen's tables, for a person on call. */
@NullMarked
package io.idgen.ops;

import org.jspecify.annotations.NullMarked;
