package io.idgen.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The pages for tools that read text: a list in the format of llmstxt.org, and one file with all pages. */
final class ToolTexts {
    private ToolTexts() {}

    /** Returns the list, with a link to the Markdown of each page. */
    static String index(Page readme, Navigation navigation) {
        StringBuilder text = new StringBuilder("# " + readme.title() + "\n\n> " + readme.summary()
                + "\n\nAll pages in one file: [llms-full.txt](llms-full.txt)\n");
        for (Navigation.Group group : navigation.groups()) {
            text.append("\n## ").append(group.reader()).append("\n\n");
            for (Page page : group.pages()) {
                text.append("- [%s](%s)".formatted(page.title(), page.source()));
                text.append(page.summary().isEmpty() ? "\n" : ": " + page.summary() + "\n");
            }
        }
        return text.toString();
    }

    /** Returns all pages in the order of the navigation, each after a comment with its file. */
    static String full(Path root, Navigation navigation) throws IOException {
        StringBuilder text = new StringBuilder();
        for (Page page : navigation.pages()) {
            text.append("<!-- ").append(page.source()).append(" -->\n\n");
            text.append(Files.readString(root.resolve(page.source()))).append('\n');
        }
        return text.toString();
    }
}
