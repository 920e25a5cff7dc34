package io.idgen.hibernate;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** Marks a test of a point in {@code docs/internals/hibernate.md}, which shows its outcome for each version. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Outcomes.class)
@interface Point {
    /** The point's number. */
    int value();
}
