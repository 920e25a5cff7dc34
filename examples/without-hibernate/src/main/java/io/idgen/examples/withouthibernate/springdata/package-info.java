/** Orders with Spring Data JDBC. */
@NullMarked
package io.idgen.examples.withouthibernate.springdata;

import org.jspecify.annotations.NullMarked;
