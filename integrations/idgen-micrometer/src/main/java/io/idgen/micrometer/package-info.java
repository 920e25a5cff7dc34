/** Meters of idgen's sources, for Micrometer: {@link IdgenMetrics} and {@link IdgenEventMetrics}. */
@NullMarked
package io.idgen.micrometer;

import org.jspecify.annotations.NullMarked;
