package io.idgen.spring.boot;

import io.idgen.text.PublicId;
import io.idgen.text.PublicIds;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.MethodParameter;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * The parameters of controllers with {@link PublicId}, which contain ids as the bean of the type {@link PublicIds}
 * encodes them. Safe for many threads.
 *
 * <p>A {@code Converter} is not enough. If it refuses a text, Spring tries to parse the text as a number, and would
 * accept an id that is not encoded.
 */
record PublicIdParameters(ObjectProvider<PublicIds> publicIds) {

    static boolean isOne(MethodParameter parameter) {
        return parameter.hasParameterAnnotation(PublicId.class);
    }

    /** Whether the parameter is a part of the path, and not one of the query. */
    static boolean isPath(MethodParameter parameter) {
        return parameter.hasParameterAnnotation(PathVariable.class);
    }

    /** Returns the ids of the parameter's kind. */
    PublicIds idsOf(MethodParameter parameter) {
        PublicId annotation = parameter.getParameterAnnotation(PublicId.class);
        Class<?> type = parameter.getParameterType();
        if (annotation == null || ClassUtils.resolvePrimitiveIfNecessary(type) != Long.class) {
            throw new IllegalStateException("@PublicId is on " + parameter + " of type " + type.getName()
                    + "; change the type to long or Long");
        }
        if (!isPath(parameter) && !parameter.hasParameterAnnotation(RequestParam.class)) {
            throw new IllegalStateException(
                    "@PublicId is on " + parameter + "; it applies to parameters with @PathVariable or @RequestParam");
        }
        PublicIds ids = publicIds.getIfUnique();
        if (ids == null) {
            throw new IllegalStateException("@PublicId is on " + parameter + ", and there is no bean, or more than one,"
                    + " of the type " + PublicIds.class.getName() + "; declare one with your key");
        }
        return ids.withPrefix(annotation.value());
    }

    /**
     * Decodes the text of a request.
     *
     * @throws WrongPublicIdException if the text is no id of the parameter's kind
     */
    long decode(MethodParameter parameter, String text) {
        try {
            return idsOf(parameter).decode(text);
        } catch (IllegalArgumentException e) {
            throw new WrongPublicIdException(parameter, e.getMessage());
        }
    }

    static WrongPublicIdException repeated(MethodParameter parameter) {
        return new WrongPublicIdException(parameter, "it occurs more than once; send it once");
    }
}
