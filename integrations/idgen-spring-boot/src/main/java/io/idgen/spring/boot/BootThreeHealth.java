package io.idgen.spring.boot;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ClassUtils;

/**
 * Creates the health indicator of Spring Boot 3.5, without its types: idgen is compiled with Spring Boot 4.
 *
 * @param sources those whose health it shows
 */
record BootThreeHealth(UnitSources sources) implements FactoryBean<Object>, InvocationHandler {
    static final String INDICATOR = "org.springframework.boot.actuate.health.HealthIndicator";

    private static final String HEALTH =
            "T(org.springframework.boot.actuate.health.Health).status(status()).withDetails(details()).build()";

    @Override
    public Object getObject() {
        return Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {getObjectType()}, this);
    }

    @Override
    public Class<?> getObjectType() {
        return ClassUtils.resolveClassName(INDICATOR, null);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object[] arguments) throws Throwable {
        if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
        }
        return method.getName().equals("health")
                ? new SpelExpressionParser().parseExpression(HEALTH).getValue(IdgenHealth.of(sources.snapshots()))
                : method.invoke(this, arguments);
    }
}
