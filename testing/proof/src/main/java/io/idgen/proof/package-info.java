/** A long run on real databases: processes that generate ids, faults, a control, and a check of everything. */
@org.jspecify.annotations.NullMarked
package io.idgen.proof;
