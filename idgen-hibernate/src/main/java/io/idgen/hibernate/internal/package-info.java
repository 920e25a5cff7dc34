/**
 * Classes that Hibernate finds by reflection or {@link java.util.ServiceLoader}. They are public for it, not for
 * applications.
 */
@NullMarked
package io.idgen.hibernate.internal;

import org.jspecify.annotations.NullMarked;
