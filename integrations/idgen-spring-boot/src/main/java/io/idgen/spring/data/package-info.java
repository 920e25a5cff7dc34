/** Ids of idgen for Spring Data modules that have no generator of their own, such as Spring Data JDBC. */
@NullMarked
package io.idgen.spring.data;

import org.jspecify.annotations.NullMarked;
