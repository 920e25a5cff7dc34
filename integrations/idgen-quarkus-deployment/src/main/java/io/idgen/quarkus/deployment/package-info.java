/** What Quarkus calls while it builds an application with idgen. */
@NullMarked
package io.idgen.quarkus.deployment;

import org.jspecify.annotations.NullMarked;
