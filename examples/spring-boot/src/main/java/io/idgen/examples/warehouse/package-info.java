/** The stock, in a second database with its own persistence unit. */
package io.idgen.examples.warehouse;
