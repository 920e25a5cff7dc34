package io.idgen.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/** A request has another text where a public id belongs: status 400. */
final class WrongPublicIdException extends ResponseStatusException {
    private static final long serialVersionUID = 1;

    WrongPublicIdException(MethodParameter parameter, @Nullable String reason) {
        super(HttpStatus.BAD_REQUEST, "'" + parameter.getParameterName() + "': " + reason);
    }
}
