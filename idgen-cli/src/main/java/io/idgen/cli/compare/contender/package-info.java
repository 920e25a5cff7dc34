/** The kinds of keys that are compared: idgen's strategies, and the usual alternatives. */
@NullMarked
package io.idgen.cli.compare.contender;

import org.jspecify.annotations.NullMarked;
