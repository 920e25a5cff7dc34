/** Which worker ids this JVM uses: two generators never have the same one. */
@NullMarked
package io.idgen.core.internal.worker;

import org.jspecify.annotations.NullMarked;
