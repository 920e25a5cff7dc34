/** What a comparison has measured: plain values, and how people read them. */
@NullMarked
package io.idgen.cli.compare.result;

import org.jspecify.annotations.NullMarked;
