/** The inspector page and its server, which decodes and generates ids with the same code as the commands. */
@NullMarked
package io.idgen.cli.serve;

import org.jspecify.annotations.NullMarked;
