/** Hundreds of processes on one database server, simulated in one JVM by real generators with leases of their own. */
@NullMarked
package io.idgen.proof.scale;

import org.jspecify.annotations.NullMarked;
