package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.cli.common.TextForms;
import io.idgen.text.IdCodec;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The ids on the command line or on standard input, and their text form: a mixin. */
final class GivenIds {
    private static final String STANDARD_INPUT = "-";
    private static final int LONGEST_TEXT = 100;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Parameters(
            arity = "0..*",
            paramLabel = "<id>",
            description =
                    "An id in decimal, in hex with the prefix 0x, or in the form of --from. Without ids, or with -,"
                            + " they are read from standard input.")
    private List<String> ids = List.of();

    @Option(
            names = "--from",
            paramLabel = "<form>",
            converter = TextForms.class,
            completionCandidates = TextForms.class,
            description = "The text form of the ids: ${COMPLETION-CANDIDATES}.")
    private @Nullable IdCodec from;

    /** Returns whether ids are on the command line. */
    boolean areGiven() {
        return !ids.isEmpty();
    }

    /**
     * Parses the ids.
     *
     * @param standardInput read to its end if no id is given, or one is -
     * @param most how many ids the command takes
     * @throws BadInputException if a text is not an id in this form, or there is no id, or there are more
     */
    List<Long> numbers(InputStream standardInput, int most) {
        List<String> texts = new ArrayList<>();
        for (String each : ids.isEmpty() ? List.of(STANDARD_INPUT) : ids) {
            if (each.equals(STANDARD_INPUT)) {
                texts.addAll(read(standardInput, most));
            } else if (each.matches("--?[A-Za-z].*")) {
                throw new UnmatchedArgumentException(command.commandLine(), List.of(each));
            } else {
                texts.add(each);
            }
        }
        if (texts.isEmpty()) {
            throw new BadInputException("no ids on standard input; give them as arguments or on standard input,"
                    + " separated by spaces, commas or line ends");
        }
        checkCount(texts.size(), most);
        return texts.stream()
                .map(text -> TextForms.parse(text, from, "use --from "))
                .toList();
    }

    private void checkCount(int count, int most) {
        if (count > most) {
            throw new BadInputException(command.name() + " takes at most " + most
                    + " ids; idgen analyze reads files and streams of any length");
        }
    }

    private List<String> read(InputStream standardInput, int most) {
        List<String> words = new ArrayList<>();
        Scanner in = new Scanner(standardInput, StandardCharsets.UTF_8).useDelimiter("[\\s,;]+");
        while (in.hasNext()) {
            String word = in.next();
            if (word.length() > LONGEST_TEXT) {
                throw new BadInputException("an id on standard input must have at most " + LONGEST_TEXT
                        + " characters, got '" + word.substring(0, LONGEST_TEXT) + "…'");
            }
            words.add(word);
            checkCount(words.size(), most);
        }
        return words;
    }
}
