/** The Snowflake generator, its clock policies, and the backfill of existing rows. */
@NullMarked
package io.idgen.core.snowflake;

import org.jspecify.annotations.NullMarked;
