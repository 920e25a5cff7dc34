/** The database of a comparison: its tables, its pools, and the network that an outage cuts. */
@NullMarked
package io.idgen.cli.compare.database;

import org.jspecify.annotations.NullMarked;
