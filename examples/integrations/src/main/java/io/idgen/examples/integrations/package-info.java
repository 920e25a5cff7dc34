/** Ids in JSON, meters of sources, and worker ids from Redis and ZooKeeper. */
package io.idgen.examples.integrations;
