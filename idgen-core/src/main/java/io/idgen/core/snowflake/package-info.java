/** Ids of time, datacenter, worker and sequence: the generator, its clock policies, and the backfill of past rows. */
@NullMarked
package io.idgen.core.snowflake;

import org.jspecify.annotations.NullMarked;
