/** Ids of idgen for modules of Spring Data without a generator of their own, such as Spring Data JDBC. */
@NullMarked
package io.idgen.spring.data;

import org.jspecify.annotations.NullMarked;
