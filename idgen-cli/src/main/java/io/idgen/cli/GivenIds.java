package io.idgen.cli;

import io.idgen.cli.common.TextForms;
import io.idgen.core.text.IdCodec;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The ids on the command line, and their text form: a mixin. */
final class GivenIds {

    @Parameters(
            arity = "1..*",
            paramLabel = "<id>",
            description = "An id in decimal, in hex with the prefix 0x, or in the form of --from.")
    private List<String> ids = List.of();

    @Option(
            names = "--from",
            paramLabel = "<form>",
            converter = TextForms.class,
            completionCandidates = TextForms.class,
            description = "The text form of the ids: ${COMPLETION-CANDIDATES}.")
    private @Nullable IdCodec from;

    /**
     * Parses the ids.
     *
     * @throws io.idgen.cli.common.BadInputException if a text is not an id in this form
     */
    List<Long> numbers() {
        return ids.stream().map(text -> TextForms.parse(text, from)).toList();
    }
}
