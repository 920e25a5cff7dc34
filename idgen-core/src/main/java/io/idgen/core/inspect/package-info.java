/** What ids that exist already tell: one id taken apart, two compared, duplicates explained, a whole table's measured. */
@NullMarked
package io.idgen.core.inspect;

import org.jspecify.annotations.NullMarked;
