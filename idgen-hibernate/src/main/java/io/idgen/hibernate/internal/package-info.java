/** What Hibernate finds by reflection or by {@link java.util.ServiceLoader}, and therefore is public; not for applications. */
@NullMarked
package io.idgen.hibernate.internal;

import org.jspecify.annotations.NullMarked;
