/** Text of settings and messages: defaults, durations, names, failures, and the escaping of control characters. */
@NullMarked
package io.idgen.core.internal.text;

import org.jspecify.annotations.NullMarked;
