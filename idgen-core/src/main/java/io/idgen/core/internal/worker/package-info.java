/** The worker ids in use in this JVM, so that no two generators have the same one. */
@NullMarked
package io.idgen.core.internal.worker;

import org.jspecify.annotations.NullMarked;
