/**
 * Test support. Contracts check your own {@link io.idgen.core.IdSource}, {@link io.idgen.core.segment.SegmentAllocator}
 * or {@link io.idgen.core.lease.LeaseStore}: extend one, and JUnit 5.12 or newer runs its tests. Everything else works
 * without JUnit.
 */
@NullMarked
package io.idgen.test;

import org.jspecify.annotations.NullMarked;
