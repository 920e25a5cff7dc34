package io.idgen.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.idgen.core.config.IdSources;
import io.idgen.core.config.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that {@code docs/settings.md} lists every setting. Writes the page on request. */
class SettingsPageTest {
    private static final Path PAGE = Pages.ROOT.resolve("docs/settings.md");
    private static final String COMMAND = ".ci/pages settings";
    private static final String HEAD = "| setting | default | meaning |\n|---|---|---|\n";

    private static final List<String> ESSENTIAL = List.of(
            "idgen.strategy",
            "idgen.jdbc.initialize-schema",
            "idgen.jdbc.url",
            "idgen.jdbc.user",
            "idgen.jdbc.password",
            "idgen.jdbc.data-source",
            "idgen.worker.assigner",
            "idgen.worker.id",
            "idgen.sources.<name>.start",
            "idgen.sources.<name>.adopt");
    private static final List<String> FREQUENT = List.of(
            "idgen.startup",
            "idgen.acquire-timeout",
            "idgen.jdbc.schema",
            "idgen.jdbc.table-prefix",
            "idgen.jdbc.server-identity",
            "idgen.snowflake.layout",
            "idgen.snowflake.epoch",
            "idgen.snowflake.clock-policy",
            "idgen.worker.namespace",
            "idgen.worker.datacenter-id",
            "idgen.worker.reserved",
            "idgen.worker.window",
            "idgen.worker.owner",
            "idgen.redis.uri",
            "idgen.zookeeper.connect",
            "idgen.segment.step",
            "idgen.segment.reserve",
            "idgen.segment.reach",
            "idgen.sources.<name>.limit",
            "idgen.sources.<name>.sequence",
            "idgen.sources.<name>.increment",
            "idgen.sources.<name>.value-is");

    @Test
    void everySettingIsOnThePageWithItsDefaultAndItsMeaning() throws IOException {
        String page = Pages.read(PAGE);
        if ("write".equals(System.getProperty("pages"))) {
            page = with(page, "Essential settings", named(ESSENTIAL));
            page = with(page, "Frequent settings", named(FREQUENT));
            page = with(page, "Rare settings", rare());
            Files.writeString(PAGE, page);
        }

        assertThat(page)
                .as("write it by %s", COMMAND)
                .contains(section("Essential settings", named(ESSENTIAL)))
                .contains(section("Frequent settings", named(FREQUENT)))
                .contains(section("Rare settings", rare()));
    }

    /** Returns the settings in the order of these names, which puts the most important first. */
    private static Stream<Setting<?>> named(List<String> names) {
        return names.stream()
                .flatMap(name -> IdSources.settings().stream()
                        .filter(setting -> setting.toString().equals(name)));
    }

    private static Stream<Setting<?>> rare() {
        Predicate<Setting<?>> listed =
                setting -> ESSENTIAL.contains(setting.toString()) || FREQUENT.contains(setting.toString());
        return IdSources.settings().stream().<Setting<?>>map(setting -> setting).filter(listed.negate());
    }

    private static String with(String page, String heading, Stream<Setting<?>> settings) {
        Pattern section = Pattern.compile("## " + heading + "\n\n" + Pattern.quote(HEAD) + "(\\|.*\n)*");
        return section.matcher(page).replaceFirst(Matcher.quoteReplacement(section(heading, settings)));
    }

    private static String section(String heading, Stream<Setting<?>> settings) {
        return "## " + heading + "\n\n" + HEAD
                + settings.map(SettingsPageTest::row).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String row(Setting<?> setting) {
        return "| `" + setting + "` | "
                + setting.defaultText().map(text -> "`" + text + "`").orElse("")
                + " | " + setting.meaning() + " |";
    }
}
