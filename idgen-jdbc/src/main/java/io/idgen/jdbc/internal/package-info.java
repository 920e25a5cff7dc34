/** What is public for a technical reason only: found by {@link java.util.ServiceLoader}, or used by idgen-hibernate. */
@NullMarked
package io.idgen.jdbc.internal;

import org.jspecify.annotations.NullMarked;
