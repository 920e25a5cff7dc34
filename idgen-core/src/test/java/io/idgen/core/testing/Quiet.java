package io.idgen.core.testing;

import static java.util.Objects.requireNonNull;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Switches the log of a class off while the tests of the annotated class run. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Quiet.Switch.class)
public @interface Quiet {
    Class<?> value();

    /** Sets the level of the logger. */
    final class Switch implements BeforeAllCallback, AfterAllCallback {
        private @Nullable Logger logger; // kept, because a logger that is collected loses its level

        @Override
        public void beforeAll(ExtensionContext context) {
            Quiet quiet = context.getRequiredTestClass().getAnnotation(Quiet.class);
            logger = Logger.getLogger(quiet.value().getName());
            logger.setLevel(Level.OFF);
        }

        @Override
        public void afterAll(ExtensionContext context) {
            requireNonNull(logger).setLevel(null);
        }
    }
}
