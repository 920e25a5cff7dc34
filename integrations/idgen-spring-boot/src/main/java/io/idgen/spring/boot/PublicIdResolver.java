package io.idgen.spring.boot;

import io.idgen.text.PublicId;
import io.idgen.text.PublicIds;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.ConversionService;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.annotation.RequestParamMethodArgumentResolver;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.method.support.UriComponentsContributor;
import org.springframework.web.servlet.mvc.method.annotation.PathVariableMethodArgumentResolver;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * Decodes the parameters of controllers with {@link PublicId}, and encodes them in links to controllers. Safe for many
 * threads.
 *
 * <p>A {@code Converter} is not enough. If it refuses a text, Spring tries to parse the text as a number, and would
 * accept an id that is not encoded.
 */
final class PublicIdResolver implements HandlerMethodArgumentResolver, UriComponentsContributor {
    private final ObjectProvider<PublicIds> publicIds;
    private final PathVariableMethodArgumentResolver paths = new PathVariableMethodArgumentResolver();
    private final RequestParamMethodArgumentResolver parameters = new RequestParamMethodArgumentResolver(false);

    PublicIdResolver(ObjectProvider<PublicIds> publicIds) {
        this.publicIds = publicIds;
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.hasParameterAnnotation(PublicId.class);
    }

    @Override
    public @Nullable Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer model,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binder)
            throws Exception {
        PublicIds ids = idsOf(parameter);
        // without a binder, the text of the request is not converted
        Object text = isPath(parameter)
                ? paths.resolveArgument(parameter, model, request, null)
                : parameters.resolveArgument(parameter, model, request, null);
        if (text == null) {
            return null;
        }
        if (!(text instanceof String one)) {
            throw new WrongPublicIdException(parameter, "it occurs more than once; send it once");
        }
        try {
            return ids.decode(one);
        } catch (IllegalArgumentException e) {
            throw new WrongPublicIdException(parameter, e.getMessage());
        }
    }

    @Override
    public void contributeMethodArgument(
            MethodParameter parameter,
            @Nullable Object id,
            UriComponentsBuilder builder,
            Map<String, Object> variables,
            ConversionService conversions) {
        Object text = id == null ? null : idsOf(parameter).encode((Long) id);
        if (isPath(parameter)) {
            paths.contributeMethodArgument(parameter, text, builder, variables, conversions);
        } else {
            parameters.contributeMethodArgument(parameter, text, builder, variables, conversions);
        }
    }

    private PublicIds idsOf(MethodParameter parameter) {
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

    private static boolean isPath(MethodParameter parameter) {
        return parameter.hasParameterAnnotation(PathVariable.class);
    }
}
