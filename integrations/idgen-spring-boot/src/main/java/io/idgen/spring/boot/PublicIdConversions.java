package io.idgen.spring.boot;

import io.idgen.text.PublicId;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.web.bind.support.ConfigurableWebBindingInitializer;
import org.springframework.web.bind.support.WebBindingInitializer;

/**
 * Refuses a text that {@link PublicIdFormats} refuses. After a {@link ConversionFailedException}, Spring parses the
 * text as a number, and would accept an id that is not encoded. Safe for many threads.
 *
 * @param all the conversions of the application
 */
record PublicIdConversions(ConversionService all) implements ConversionService {

    /** Applies this to the arguments of controllers. */
    static void useIn(@Nullable WebBindingInitializer initializer) {
        if (initializer instanceof ConfigurableWebBindingInitializer configurable
                && configurable.getConversionService() != null) {
            configurable.setConversionService(new PublicIdConversions(configurable.getConversionService()));
        }
    }

    @Override
    public boolean canConvert(@Nullable Class<?> from, Class<?> to) {
        return all.canConvert(from, to);
    }

    @Override
    public boolean canConvert(@Nullable TypeDescriptor from, TypeDescriptor to) {
        return all.canConvert(from, to);
    }

    @Override
    public <T> @Nullable T convert(@Nullable Object value, Class<T> to) {
        return all.convert(value, to);
    }

    @Override
    public @Nullable Object convert(@Nullable Object value, @Nullable TypeDescriptor from, TypeDescriptor to) {
        if (to.hasAnnotation(PublicId.class) && to.getObjectType() != Long.class) {
            throw new IllegalStateException(
                    "@PublicId is on a parameter of the type " + to.getName() + "; change the type to long or Long");
        }
        try {
            return all.convert(value, from, to);
        } catch (ConversionFailedException e) {
            if (to.hasAnnotation(PublicId.class) && e.getCause() instanceof RuntimeException reason) {
                throw reason; // status 400 for an illegal argument, 500 for an illegal state
            }
            throw e;
        }
    }
}
