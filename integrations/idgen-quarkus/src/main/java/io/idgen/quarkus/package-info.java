/** idgen in Quarkus: settings of {@code application.properties}, sources, health and meters. */
@NullMarked
package io.idgen.quarkus;

import org.jspecify.annotations.NullMarked;
