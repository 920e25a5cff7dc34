/** Ids for Spring Data R2DBC. */
@NullMarked
package io.idgen.spring.r2dbc;

import org.jspecify.annotations.NullMarked;
