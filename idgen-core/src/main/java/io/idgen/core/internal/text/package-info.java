/** Text of messages: durations, failures, names of options, and escaping of control characters. */
@NullMarked
package io.idgen.core.internal.text;

import org.jspecify.annotations.NullMarked;
