/** Step increments from two databases, which become three while ids are generated. */
@NullMarked
package io.idgen.examples.twodatabases;

import org.jspecify.annotations.NullMarked;
