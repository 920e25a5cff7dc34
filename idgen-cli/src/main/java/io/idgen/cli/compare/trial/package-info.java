/** The measurements of a comparison: speeds in interleaved rounds, then an outage and a crash. */
@NullMarked
package io.idgen.cli.compare.trial;

import org.jspecify.annotations.NullMarked;
