/** Opens sources by name from settings: strategies, settings, and where a worker id comes from. */
@NullMarked
package io.idgen.core.config;

import org.jspecify.annotations.NullMarked;
