package io.idgen.spring.boot;

import org.springframework.boot.WebApplicationType;

/** On Spring WebFlux. */
class PublicIdAdapterTest extends PublicIdContract {
    PublicIdAdapterTest() {
        super(WebApplicationType.REACTIVE);
    }
}
