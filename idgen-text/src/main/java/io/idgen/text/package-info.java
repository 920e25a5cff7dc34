/** Ids as text: codecs, encrypted public ids, business serial numbers, and how attributes appear in JSON. */
@NullMarked
package io.idgen.text;

import org.jspecify.annotations.NullMarked;
