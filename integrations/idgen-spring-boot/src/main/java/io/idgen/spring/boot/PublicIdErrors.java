package io.idgen.spring.boot;

import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Returns the reason for a wrong public id to the client. Handlers of the application take precedence. */
@RestControllerAdvice
final class PublicIdErrors {
    @ExceptionHandler
    ProblemDetail answer(WrongPublicIdException e) {
        return e.getBody();
    }
}
