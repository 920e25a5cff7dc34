package io.idgen.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.config.IdSources;
import io.idgen.core.config.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Compares the interface that tells editors of {@code idgen.*} in Quarkus with the settings. */
class QuarkusSettingsTest {
    private static final Path INTERFACE =
            Poms.ROOT.resolve("integrations/idgen-quarkus/src/main/java/io/idgen/quarkus/IdgenConfig.java");
    private static final Pattern METHODS = Pattern.compile("(?<=interface IdgenConfig \\{\n).*(?=}\n)", Pattern.DOTALL);
    private static final int WIDTH = 120;

    @Test
    void theMethodsAreTheSettings() throws IOException {
        String text = Files.readString(INTERFACE);
        String written = METHODS.matcher(text).replaceFirst(Matcher.quoteReplacement(methods()));
        if ("write".equals(System.getProperty("pages"))) {
            Files.writeString(INTERFACE, written);
            text = written;
        }

        assertThat(text).as("write it by .ci/pages quarkus").isEqualTo(written);
    }

    private static String methods() {
        return IdSources.settings().stream()
                        .filter(setting -> !setting.toString().contains("<"))
                        .map(QuarkusSettingsTest::method)
                        .collect(Collectors.joining("\n"))
                + "\n    /** Settings of single sources: idgen.sources.Book.strategy is that of the source 'Book'. */\n"
                + "    Map<String, Map<String, String>> sources();\n";
    }

    private static String method(Setting<?> setting) {
        String key = setting.toString().substring("idgen.".length());
        String name = Pattern.compile("[.-](.)")
                .matcher(key)
                .replaceAll(part -> part.group(1).toUpperCase(Locale.ROOT));
        return comment(setting.meaning())
                + setting.defaultText()
                        .map(text -> "    @WithDefault(\"" + text + "\")\n")
                        .orElse("")
                + "    @WithName(\"" + key + "\")\n"
                + "    " + (setting.defaultText().isPresent() ? "String " : "Optional<String> ") + name + "();\n";
    }

    private static String comment(String meaning) {
        String text = meaning.replace("&", "&amp;").replace("<", "&lt;");
        if (text.length() + "    /** . */".length() <= WIDTH) {
            return "    /** " + text + " */\n";
        }
        StringBuilder comment = new StringBuilder("    /**");
        int column = WIDTH;
        for (String word : text.split(" ")) {
            if (column + 1 + word.length() > WIDTH) {
                comment.append("\n     *");
                column = "     *".length();
            }
            comment.append(' ').append(word);
            column += 1 + word.length();
        }
        return comment.append("\n     */\n").toString();
    }
}
