/** The bit layout of Snowflake ids: composing and parsing ids, capacity, and the time range of a layout. */
@NullMarked
package io.idgen.core.layout;

import org.jspecify.annotations.NullMarked;
