package io.idgen.cli.compare.result;

import java.util.List;

/**
 * A decoded id.
 *
 * @param fields the fields from the highest bit
 */
public record Sample(String id, String text, String hex, int bits, List<Field> fields) {

    /** A field of consecutive bits. */
    public record Field(String name, int width, String value) {}
}
