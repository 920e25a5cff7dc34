/** Ids in parameters of JAX-RS and in GraphQL. */
@NullMarked
package io.idgen.examples.contracts;

import org.jspecify.annotations.NullMarked;
