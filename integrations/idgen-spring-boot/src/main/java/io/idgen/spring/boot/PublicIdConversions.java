package io.idgen.spring.boot;

import io.idgen.text.PublicId;
import io.idgen.text.PublicIds;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.web.bind.support.ConfigurableWebBindingInitializer;
import org.springframework.web.bind.support.WebBindingInitializer;

/**
 * Decodes the texts of arguments with {@link PublicId}. A formatter could not do so: where it refuses a text, Spring
 * parses the text as a number, and would accept an id that is not encoded. Safe for many threads.
 *
 * @param all the conversions of the application
 * @param publicIds decodes ids
 */
record PublicIdConversions(ConversionService all, ObjectProvider<PublicIds> publicIds) implements ConversionService {

    /** Applies this to the arguments of controllers. */
    static void useIn(@Nullable WebBindingInitializer initializer, ObjectProvider<PublicIds> publicIds) {
        if (initializer instanceof ConfigurableWebBindingInitializer configurable
                && configurable.getConversionService() != null) {
            configurable.setConversionService(new PublicIdConversions(configurable.getConversionService(), publicIds));
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
        PublicId annotation = to.getAnnotation(PublicId.class);
        if (annotation == null) {
            return all.convert(value, from, to);
        }
        if (to.getObjectType() != Long.class) {
            throw new IllegalStateException(
                    "@PublicId is on a parameter of the type " + to.getName() + "; change the type to long or Long");
        }
        PublicIds ids = publicIds.getIfUnique();
        if (ids == null) {
            throw new IllegalStateException("there is no bean, or more than one, of the type "
                    + PublicIds.class.getName() + " for @PublicId; declare one with your key");
        }
        return value == null || value.equals("")
                ? null
                : (Object) ids.withPrefix(annotation.value()).decode(value.toString()); // status 400 for another text
    }
}
