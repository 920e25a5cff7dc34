/** The inspector page and the server behind it: ids made and taken apart in a browser, by the same code as in a terminal. */
@NullMarked
package io.idgen.cli.serve;

import org.jspecify.annotations.NullMarked;
