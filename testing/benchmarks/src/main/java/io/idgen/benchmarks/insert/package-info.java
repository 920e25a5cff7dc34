/**
 * Inserts orders with their lines with Hibernate, to compare {@code @SnowflakeId} with other kinds of ids. It can add a
 * latency to each round trip; {@code idgen compare} sends plain JDBC batches instead, and also measures outages.
 */
@NullMarked
package io.idgen.benchmarks.insert;

import org.jspecify.annotations.NullMarked;
