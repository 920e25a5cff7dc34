package io.idgen.spring.boot;

import io.idgen.core.config.SourceBinder;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Opens the sources with {@code idgen.startup=eager} when all beans of the application exist. A wrong password or a
 * missing table then fails the deployment, not the first insert.
 *
 * @param binder the sources
 */
record EagerStart(SourceBinder binder) implements SmartInitializingSingleton {
    @Override
    public void afterSingletonsInstantiated() {
        binder.start();
    }
}
