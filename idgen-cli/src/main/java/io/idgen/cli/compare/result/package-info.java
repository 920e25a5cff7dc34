/** What a comparison measures: plain values. */
@NullMarked
package io.idgen.cli.compare.result;

import org.jspecify.annotations.NullMarked;
