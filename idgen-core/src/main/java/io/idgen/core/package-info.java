/** IDs for database applications before the insert: generators, layouts, segments, and the settings that open them. */
@NullMarked
package io.idgen.core;

import org.jspecify.annotations.NullMarked;
