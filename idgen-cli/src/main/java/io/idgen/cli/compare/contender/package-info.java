/** What {@code idgen compare} compares: strategies of idgen, of the user and of other libraries. */
@NullMarked
package io.idgen.cli.compare.contender;

import org.jspecify.annotations.NullMarked;
