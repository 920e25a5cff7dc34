package io.idgen.cli;

import io.idgen.cli.common.Output;
import io.idgen.cli.common.TextForms;
import io.idgen.text.IdCodec;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Converts ids to other text forms. */
@Command(name = "convert", description = "Converts ids to another text form, or to all of them.")
final class Convert implements Runnable {

    @ParentCommand
    private Idgen idgen = new Idgen();

    @Mixin
    private Output output = new Output();

    @Mixin
    private GivenIds ids = new GivenIds();

    @Option(
            names = "--to",
            paramLabel = "<form>",
            converter = TextForms.class,
            completionCandidates = TextForms.class,
            description = "The text form of the output. Default: all forms.")
    private @Nullable IdCodec to;

    @Override
    public void run() {
        List<Map<String, String>> forms = ids.numbers(idgen.in(), Integer.MAX_VALUE).stream()
                .map(this::forms)
                .toList();
        if (output.isJson()) {
            output.json(forms.size() == 1 ? forms.get(0) : forms);
        } else if (to != null) {
            forms.forEach(form -> form.values().forEach(output::print));
        } else {
            forms.forEach(form -> form.forEach((name, text) -> output.print(String.format("%-15s %s", name, text))));
        }
    }

    private Map<String, String> forms(long id) {
        Map<String, String> texts = new LinkedHashMap<>();
        Arrays.stream(IdCodec.values())
                .filter(form -> to == null || form == to)
                .forEach(form -> texts.put(TextForms.name(form), form.encode(id)));
        return texts;
    }
}
