/** Ids for ShardingSphere: {@link io.idgen.shardingsphere.IdgenKeyGenerateAlgorithm}. */
@NullMarked
package io.idgen.shardingsphere;

import org.jspecify.annotations.NullMarked;
