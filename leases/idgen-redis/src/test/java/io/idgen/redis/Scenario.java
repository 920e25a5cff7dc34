package io.idgen.redis;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A row of the table in {@code docs/internals/accidents.md}: a failure, and the result of its test. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Scenario {
    /** The failure. */
    String value();

    /** The result: the number of duplicates, and what happens to processes. */
    String outcome();

    /** The result of the control, the published script. */
    String published();
}
