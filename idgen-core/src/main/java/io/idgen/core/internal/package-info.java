/** What idgen's modules share and applications do not need. */
@NullMarked
package io.idgen.core.internal;

import org.jspecify.annotations.NullMarked;
