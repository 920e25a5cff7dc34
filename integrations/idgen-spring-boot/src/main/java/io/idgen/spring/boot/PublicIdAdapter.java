package io.idgen.spring.boot;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.Ordered;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.UriComponentsBuilder;
import reactor.core.publisher.Mono;

/**
 * Resolves {@link PublicIdParameters} in Spring WebFlux: replaces the public ids of a request by numbers, which Spring
 * reads then. Safe for many threads.
 *
 * <p>An argument resolver is not enough. WebFlux asks those of an application after its own, and would accept an id
 * that is not encoded.
 */
final class PublicIdAdapter implements HandlerAdapter, Ordered {
    private final PublicIdParameters publicIds;
    private final RequestMappingHandlerAdapter next;
    private final ParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();

    PublicIdAdapter(PublicIdParameters publicIds, RequestMappingHandlerAdapter next) {
        this.publicIds = publicIds;
        this.next = next;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public boolean supports(Object handler) {
        return handler instanceof HandlerMethod method && !parameters(method).isEmpty();
    }

    private static List<MethodParameter> parameters(HandlerMethod method) {
        return List.of(method.getMethodParameters()).stream()
                .filter(PublicIdParameters::isOne)
                .toList();
    }

    @Override
    public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
        return Mono.defer(() -> {
            ServerWebExchange decoded = exchange;
            for (MethodParameter parameter : parameters((HandlerMethod) handler)) {
                publicIds.idsOf(parameter); // refuses a wrong parameter, whatever the request contains
                parameter.initParameterNameDiscovery(names);
                decoded = PublicIdParameters.isPath(parameter)
                        ? withPath(decoded, parameter)
                        : withQuery(decoded, parameter);
            }
            return next.handle(decoded, handler);
        });
    }

    private ServerWebExchange withPath(ServerWebExchange exchange, MethodParameter parameter) {
        PathVariable annotation = parameter.getParameterAnnotation(PathVariable.class);
        String name = name(annotation == null ? "" : annotation.name(), parameter);
        Map<String, String> path = new LinkedHashMap<>(
                exchange.getAttributeOrDefault(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE, Map.of()));
        path.computeIfPresent(name, (any, text) -> Long.toString(publicIds.decode(parameter, text)));
        exchange.getAttributes().put(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE, path);
        return exchange;
    }

    private ServerWebExchange withQuery(ServerWebExchange exchange, MethodParameter parameter) {
        RequestParam annotation = parameter.getParameterAnnotation(RequestParam.class);
        String name = name(annotation == null ? "" : annotation.name(), parameter);
        List<String> texts = exchange.getRequest().getQueryParams().getOrDefault(name, List.of());
        if (texts.isEmpty()) {
            return exchange;
        }
        if (texts.size() > 1) {
            throw PublicIdParameters.repeated(parameter);
        }
        long id = publicIds.decode(parameter, Objects.requireNonNullElse(texts.get(0), ""));
        URI uri = UriComponentsBuilder.fromUri(exchange.getRequest().getURI())
                .replaceQueryParam(name, id)
                .build(true)
                .toUri();
        return exchange.mutate().request(request -> request.uri(uri)).build();
    }

    private static String name(String given, MethodParameter parameter) {
        return given.isEmpty() ? String.valueOf(parameter.getParameterName()) : given;
    }
}
