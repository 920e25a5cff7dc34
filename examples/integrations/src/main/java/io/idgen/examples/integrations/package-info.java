/** Ids in JSON, and meters of sources. */
package io.idgen.examples.integrations;
