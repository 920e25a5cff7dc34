/** Ids in JSON, for Jackson 2: {@link IdgenModule}. */
@NullMarked
package io.idgen.jackson2;

import org.jspecify.annotations.NullMarked;
