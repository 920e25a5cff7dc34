/** Runs all contenders of a comparison and measures them. */
@NullMarked
package io.idgen.cli.compare.trial;

import org.jspecify.annotations.NullMarked;
