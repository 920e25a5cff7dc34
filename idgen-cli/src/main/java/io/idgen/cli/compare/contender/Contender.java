package io.idgen.cli.compare.contender;

import io.idgen.cli.compare.database.Bench;
import io.idgen.cli.compare.result.Family;
import java.util.Map;
import java.util.function.Function;

/**
 * A kind of key that is compared.
 *
 * @param what the configuration, in a few words
 * @param objects what each phase needs in the database: the kind and the end of the name, and the definition
 * @param opener opens an instance; the first key may block
 */
public record Contender(
        String name, Family family, String what, Map<String, String> objects, Function<Opening, Keys> opener) {

    /** Creates what all phases need. */
    public void create(Bench bench) {
        for (Opening.Phase phase : Opening.Phase.values()) {
            objects.forEach((what, definition) -> bench.make(what.replaceFirst(" ", " " + phase.prefix()), definition));
        }
    }

    /** Returns whether a user means this contender: by its name, or by the first words of it. */
    boolean isCalled(String given) {
        return name.equals(given) || name.startsWith(given + "-");
    }
}
