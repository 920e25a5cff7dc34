/** The Snowflake generator and its clock policies. */
@NullMarked
package io.idgen.core.snowflake;

import org.jspecify.annotations.NullMarked;
