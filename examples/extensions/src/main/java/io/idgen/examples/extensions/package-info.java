/**
 * A strategy, a lease store and a worker id assigner of an application's own, each in one class and registered in one
 * line.
 */
@NullMarked
package io.idgen.examples.extensions;

import org.jspecify.annotations.NullMarked;
