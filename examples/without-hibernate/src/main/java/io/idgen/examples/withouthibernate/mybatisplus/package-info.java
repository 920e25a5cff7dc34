/** Orders with MyBatis-Plus. */
@NullMarked
package io.idgen.examples.withouthibernate.mybatisplus;

import org.jspecify.annotations.NullMarked;
