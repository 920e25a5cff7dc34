package io.idgen.cli.choose;

import io.idgen.cli.common.BadInputException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Asks the user for the answers that the options do not give. */
final class Questions {
    private final @Nullable BufferedReader in;
    private final PrintWriter out;
    private final List<String> missing = new ArrayList<>();

    /**
     * Creates questions for a terminal.
     *
     * @param in what the user types; null if there is no terminal
     */
    Questions(@Nullable BufferedReader in, PrintWriter out) {
        this.in = in;
        this.out = out;
    }

    /** Returns the needs; asks for each answer that is null. */
    Needs ask(
            @Nullable String writers,
            @Nullable String ids,
            @Nullable String processes,
            @Nullable String outage,
            @Nullable String isShort,
            @Nullable String leaveTheHouse)
            throws IOException {
        Boolean othersWrite = isSecond(
                "--writers", writers, "Who inserts into your tables: idgen alone, or others too?", "idgen", "others");
        Boolean texts = isSecond("--ids", ids, "Are ids numbers or texts?", "numbers", "texts");
        Integer count = answer(
                "--processes",
                processes,
                "How many processes generate ids at the same time?",
                "4",
                text -> Choose.number("--processes", text));
        var away = answer(
                "--outage",
                outage,
                "How long may the database be away while ids are needed? (0s, 90s, 5min, 2h)",
                "60s",
                text -> Choose.duration("--outage", text));
        Boolean few = isSecond("--short", isShort, "Must ids be short, about ten digits?", "no", "yes");
        Boolean outside = isSecond(
                "--public", leaveTheHouse, "Are ids shown outside your company, for example in links?", "no", "yes");
        if (othersWrite == null || texts == null || count == null || away == null || few == null || outside == null) {
            throw new BadInputException("there is no terminal to ask in; also give " + String.join(", ", missing));
        }
        return new Needs(othersWrite, texts, count, away, few, outside);
    }

    /** Asks for one of two words. The first is the default. */
    private @Nullable Boolean isSecond(
            String option, @Nullable String given, String question, String first, String second) throws IOException {
        return answer(
                option,
                given,
                question + " (" + first + ", " + second + ")",
                first,
                text -> Choose.isSecond(option, text, first, second));
    }

    private <T> @Nullable T answer(
            String option, @Nullable String given, String question, String usual, Function<String, T> parse)
            throws IOException {
        if (given != null) {
            return parse.apply(given);
        }
        if (in == null) {
            missing.add(option);
            return null;
        }
        while (true) {
            out.print(question + " [" + usual + "] ");
            out.flush();
            String line = in.readLine();
            if (line == null) {
                throw new BadInputException("the input ended at the question for " + option);
            }
            try {
                return parse.apply(line.isBlank() ? usual : line.strip());
            } catch (BadInputException e) {
                out.println(String.valueOf(e.getMessage()).replaceFirst(option, "The answer"));
            }
        }
    }
}
