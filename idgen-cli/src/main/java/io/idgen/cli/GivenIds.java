package io.idgen.cli;

import io.idgen.cli.common.TextForms;
import io.idgen.core.text.IdCodec;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The ids that a command is given, and what they are written in. */
final class GivenIds {

    @Parameters(arity = "1..*", paramLabel = "<id>", description = "In decimal, in hex after 0x, or as --from says.")
    private List<String> ids = List.of();

    @Option(
            names = "--from",
            paramLabel = "<form>",
            converter = TextForms.class,
            completionCandidates = TextForms.class,
            description = "What the ids are written in: ${COMPLETION-CANDIDATES}.")
    private @Nullable IdCodec from;

    /** Refuses what is no id in that form. */
    List<Long> numbers() {
        return ids.stream().map(text -> TextForms.parse(text, from)).toList();
    }
}
