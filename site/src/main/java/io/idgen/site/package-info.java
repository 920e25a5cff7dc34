/** Builds the site of the project: its pages and its javadoc, with search. It opens from a disk or a web server. */
@NullMarked
package io.idgen.site;

import org.jspecify.annotations.NullMarked;
