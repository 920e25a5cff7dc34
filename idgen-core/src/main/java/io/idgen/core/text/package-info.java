/** Ids as text: codecs, encrypted public ids, and business serial numbers. */
@NullMarked
package io.idgen.core.text;

import org.jspecify.annotations.NullMarked;
