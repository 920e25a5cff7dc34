/** The tables of idgen on one database: creates, examines and repairs them. */
@NullMarked
package io.idgen.jdbc.schema;

import org.jspecify.annotations.NullMarked;
