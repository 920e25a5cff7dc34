package io.idgen.examples.orders;

/** Thrown for invalid input. The message names the file, line and field, and what was expected. */
final class InputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InputException(String file, long line, String field, String problem) {
        super(file + ", line " + line + ", field " + field + ": " + problem);
    }
}
