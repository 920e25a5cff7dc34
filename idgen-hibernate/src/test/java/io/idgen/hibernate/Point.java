package io.idgen.hibernate;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test of a point of {@code docs/hibernate.md}: its outcome stands there, for each version of Hibernate. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Outcomes.class)
@interface Point {
    /** The point's number. */
    int value();
}
