package io.idgen.spring.boot;

import java.util.Map;

/** The entities of a framework that may generate the first id before their sources are bound. */
interface BindsLater {

    /**
     * Returns the sources of the entities that are known when the application starts, by the names of their classes.
     * Binds those whose mapping demands ids.
     *
     * @throws io.idgen.core.ConfigurationException if two entities have different sources for one column
     */
    Map<String, String> sourceByEntity();
}
