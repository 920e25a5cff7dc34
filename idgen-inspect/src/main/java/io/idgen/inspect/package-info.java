/**
 * Analysis of existing ids: decoding one id, comparing two, explaining duplicates, and analysing a whole table's ids.
 */
@NullMarked
package io.idgen.inspect;

import org.jspecify.annotations.NullMarked;
