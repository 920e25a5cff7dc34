/** The site of the project: its pages and its javadoc, with search, to be opened from a disk or a web server. */
@NullMarked
package io.idgen.site;

import org.jspecify.annotations.NullMarked;
