package io.idgen.spring.boot;

import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers a wrong public id with the reason. Handlers of the application take precedence. */
@RestControllerAdvice
final class PublicIdErrors {
    @ExceptionHandler
    ProblemDetail answer(WrongPublicIdException e) {
        return e.getBody();
    }
}
