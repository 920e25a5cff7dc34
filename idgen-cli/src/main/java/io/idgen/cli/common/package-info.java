/** Code for several commands: options, output, exit codes, and names of layouts and text forms. */
@NullMarked
package io.idgen.cli.common;

import org.jspecify.annotations.NullMarked;
