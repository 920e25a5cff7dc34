/** Ids in JSON, for Jackson 3: {@link IdgenModule}. */
@NullMarked
package io.idgen.jackson;

import org.jspecify.annotations.NullMarked;
