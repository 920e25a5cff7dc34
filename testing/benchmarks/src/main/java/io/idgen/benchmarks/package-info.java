/** Measures idgen and its peers in memory with JMH; and the first id and the boot of Hibernate in new JVMs. */
@NullMarked
package io.idgen.benchmarks;

import org.jspecify.annotations.NullMarked;
