/** Orders without Hibernate: ids from an {@code IdSource}, then rows in batches, in one transaction. */
@NullMarked
package io.idgen.examples.withouthibernate;

import org.jspecify.annotations.NullMarked;
