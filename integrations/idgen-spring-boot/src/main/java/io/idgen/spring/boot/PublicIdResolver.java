package io.idgen.spring.boot;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.ConversionService;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.annotation.RequestParamMethodArgumentResolver;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.method.support.UriComponentsContributor;
import org.springframework.web.servlet.mvc.method.annotation.PathVariableMethodArgumentResolver;
import org.springframework.web.util.UriComponentsBuilder;

/** Resolves {@link PublicIdParameters} in Spring MVC, and encodes ids in links. Safe for many threads. */
final class PublicIdResolver implements HandlerMethodArgumentResolver, UriComponentsContributor {
    private final PublicIdParameters publicIds;
    private final PathVariableMethodArgumentResolver paths = new PathVariableMethodArgumentResolver();
    private final RequestParamMethodArgumentResolver parameters = new RequestParamMethodArgumentResolver(false);

    PublicIdResolver(PublicIdParameters publicIds) {
        this.publicIds = publicIds;
    }

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return PublicIdParameters.isOne(parameter);
    }

    @Override
    public @Nullable Object resolveArgument(
            MethodParameter parameter,
            @Nullable ModelAndViewContainer model,
            NativeWebRequest request,
            @Nullable WebDataBinderFactory binder)
            throws Exception {
        publicIds.idsOf(parameter); // refuses a wrong parameter, whatever the request contains
        // without a binder, the text of the request is not converted
        Object text = PublicIdParameters.isPath(parameter)
                ? paths.resolveArgument(parameter, model, request, null)
                : parameters.resolveArgument(parameter, model, request, null);
        if (text == null) {
            return null;
        }
        if (!(text instanceof String one)) {
            throw PublicIdParameters.repeated(parameter);
        }
        return publicIds.decode(parameter, one);
    }

    @Override
    public void contributeMethodArgument(
            MethodParameter parameter,
            @Nullable Object id,
            UriComponentsBuilder builder,
            Map<String, Object> variables,
            ConversionService conversions) {
        Object text = id == null ? null : publicIds.idsOf(parameter).encode((Long) id);
        if (PublicIdParameters.isPath(parameter)) {
            paths.contributeMethodArgument(parameter, text, builder, variables, conversions);
        } else {
            parameters.contributeMethodArgument(parameter, text, builder, variables, conversions);
        }
    }
}
