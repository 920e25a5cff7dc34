package io.idgen.examples.contracts;

import io.idgen.text.PublicId;
import io.idgen.text.PublicIds;
import jakarta.inject.Inject;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.ext.ParamConverter;
import jakarta.ws.rs.ext.ParamConverterProvider;
import jakarta.ws.rs.ext.Provider;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** Decodes parameters of the types long and Long that have {@code @PublicId}. Another text gives status 400. */
@Provider
public class PublicIdParameters implements ParamConverterProvider {
    private final PublicIds publicIds;

    /**
     * Called by JAX-RS, or by you.
     *
     * @param publicIds the keys
     */
    @Inject
    public PublicIdParameters(PublicIds publicIds) {
        this.publicIds = publicIds;
    }

    @Override
    @SuppressWarnings("unchecked") // T is long or Long
    public <T> @Nullable ParamConverter<T> getConverter(Class<T> type, Type genericType, Annotation[] annotations) {
        for (Annotation annotation : annotations) {
            if (annotation instanceof PublicId kind && (type == long.class || type == Long.class)) {
                return (ParamConverter<T>) new Converter(publicIds.withPrefix(kind.value()));
            }
        }
        return null;
    }

    private record Converter(PublicIds publicIds) implements ParamConverter<Long> {
        @Override
        public Long fromString(@Nullable String text) {
            if (text == null) {
                throw new IllegalArgumentException("no public id"); // as the interface requires
            }
            try {
                return publicIds.decode(text);
            } catch (IllegalArgumentException e) {
                // with the reason, as in Spring MVC; JAX-RS answers 404 to an IllegalArgumentException
                throw new BadRequestException(e.getMessage(), e);
            }
        }

        @Override
        public String toString(Long id) {
            return publicIds.encode(id);
        }
    }
}
