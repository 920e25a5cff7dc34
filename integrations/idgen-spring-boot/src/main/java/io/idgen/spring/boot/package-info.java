/** idgen in Spring Boot: settings from the environment, sources as beans, health, the endpoint {@code idgen}. */
@NullMarked
package io.idgen.spring.boot;

import org.jspecify.annotations.NullMarked;
