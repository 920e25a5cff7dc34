package io.idgen.examples.integrations;

import io.idgen.text.IdAsString;
import java.util.List;

/**
 * An order as JSON.
 *
 * @param id its id
 * @param lines the ids of its lines
 * @param pages a number that is no id
 */
public record Order(@IdAsString long id, @IdAsString List<Long> lines, long pages) {}
