/**
 * A strategy, a lease store and a worker id assigner of an application. Each is one class, and is registered in one
 * line.
 */
@NullMarked
package io.idgen.examples.extensions;

import org.jspecify.annotations.NullMarked;
