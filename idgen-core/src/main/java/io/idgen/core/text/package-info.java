/** Ids as people and other systems see them: as text, unguessable from outside, and as business serial numbers. */
@NullMarked
package io.idgen.core.text;

import org.jspecify.annotations.NullMarked;
