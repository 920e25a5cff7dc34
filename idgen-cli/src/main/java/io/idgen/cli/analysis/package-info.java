/** Analyses of files of ids: order, load, workers, duplicates. */
@NullMarked
package io.idgen.cli.analysis;

import org.jspecify.annotations.NullMarked;
