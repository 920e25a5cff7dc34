/** What runs in the background: threads, back-off, refusals, and the delivery of events and log lines. */
@NullMarked
package io.idgen.core.internal.task;

import org.jspecify.annotations.NullMarked;
