package io.idgen.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/** Thrown if a request contains another text instead of a public id: status 400. */
final class WrongPublicIdException extends ResponseStatusException {
    private static final long serialVersionUID = 1;

    WrongPublicIdException(MethodParameter parameter, @Nullable String reason) {
        super(HttpStatus.BAD_REQUEST, "'" + parameter.getParameterName() + "': " + reason);
    }
}
