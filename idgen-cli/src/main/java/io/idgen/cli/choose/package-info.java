/** Recommends a strategy and its settings for an application: {@code idgen choose}. */
@NullMarked
package io.idgen.cli.choose;

import org.jspecify.annotations.NullMarked;
