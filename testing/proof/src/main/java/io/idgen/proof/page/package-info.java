/** The pages of runs: where they are written, and how they begin. */
@NullMarked
package io.idgen.proof.page;

import org.jspecify.annotations.NullMarked;
