/** What follows from the measurements: the headline, the advice, and the differences from an earlier comparison. */
@NullMarked
package io.idgen.cli.compare.verdict;

import org.jspecify.annotations.NullMarked;
