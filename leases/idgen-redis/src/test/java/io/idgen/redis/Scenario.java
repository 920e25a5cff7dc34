package io.idgen.redis;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A row of the table in {@code docs/redis.md}: what happens, and what its test has shown. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Scenario {
    /** The accident. */
    String value();

    /** What becomes of ids, and of processes that start. */
    String outcome();

    /** What the control does, the published script. */
    String published();
}
