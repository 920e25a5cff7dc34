/** What the modules for Spring share. */
@NullMarked
package io.idgen.spring.boot.internal;

import org.jspecify.annotations.NullMarked;
