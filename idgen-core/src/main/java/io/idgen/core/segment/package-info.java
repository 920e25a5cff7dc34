/**
 * Ids from segments that an allocator reserves: the allocator's interface, and the source that refills ahead of use.
 */
@NullMarked
package io.idgen.core.segment;

import org.jspecify.annotations.NullMarked;
