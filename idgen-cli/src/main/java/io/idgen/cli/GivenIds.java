package io.idgen.cli;

import io.idgen.cli.common.BadInputException;
import io.idgen.text.IdCodec;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Scanner;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The ids on the command line or on standard input, and their text form: a mixin. */
final class GivenIds {
    private static final String STANDARD_INPUT = "-";
    private static final int LONGEST_TEXT = 100;

    /** The most ids: the readings of all of them are in memory. */
    private static final int MOST = 10_000;

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
            defaultValue = "DECIMAL",
            description = "The text form of the ids: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private IdCodec from = IdCodec.DECIMAL;

    /** Returns whether ids are on the command line. */
    boolean areGiven() {
        return !ids.isEmpty();
    }

    /**
     * Parses the ids.
     *
     * @param standardInput read to its end if no id is given, or one is -
     * @throws BadInputException if a text is not an id in this form, or there is no id, or there are too many
     */
    List<Long> numbers(InputStream standardInput) {
        List<Long> numbers = (ids.isEmpty() ? Stream.of(STANDARD_INPUT) : ids.stream())
                .flatMap(text -> text.equals(STANDARD_INPUT) ? words(standardInput) : Stream.of(text))
                .limit(MOST + 1)
                .map(this::parse)
                .toList();
        if (numbers.isEmpty()) {
            throw new BadInputException("no ids on standard input; give them as arguments or on standard input,"
                    + " separated by spaces, commas or line ends");
        }
        if (numbers.size() > MOST) {
            throw new BadInputException(command.name() + " takes at most " + MOST
                    + " ids; idgen analyze reads files and streams of any length");
        }
        return numbers;
    }

    private static Stream<String> words(InputStream standardInput) {
        return new Scanner(standardInput, StandardCharsets.UTF_8)
                .useDelimiter("[\\s,;]+")
                .tokens();
    }

    private long parse(String text) {
        if (text.matches("--?[A-Za-z].*")) {
            throw new UnmatchedArgumentException(command.commandLine(), List.of(text));
        }
        if (text.matches("-\\d+")) {
            throw new BadInputException("an id is never negative, got " + text
                    + "; the program that wrote it has an overflow, or the number is a hash");
        }
        try {
            return text.matches("0[xX].*") ? Long.parseLong(text.substring(2), 16) : from.decode(text);
        } catch (IllegalArgumentException e) {
            throw new BadInputException(
                    "'" + (text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) + "…" : text)
                            + "' is not an id in " + from + ": " + e.getMessage()
                            + "; compare it with its source, or name its form with --from",
                    e);
        }
    }
}
