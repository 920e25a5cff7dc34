/** Opens named sources from settings: strategies, settings, and the assignment of worker ids. */
@NullMarked
package io.idgen.core.config;

import org.jspecify.annotations.NullMarked;
