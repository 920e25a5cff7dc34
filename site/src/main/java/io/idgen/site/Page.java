package io.idgen.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/**
 * A Markdown file of the project as HTML.
 *
 * @param source the file, relative to the project's root
 * @param body the content; {@link PageLinks} rewrites its links
 */
record Page(Path source, Element body) {
    private static final List<org.commonmark.Extension> EXTENSIONS =
            List.of(TablesExtension.create(), HeadingAnchorExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
    private static final HtmlRenderer RENDERER =
            HtmlRenderer.builder().extensions(EXTENSIONS).build();

    /** What a row of a reference table describes: an error code or a setting. */
    private static final String REFERENCE = "IDGEN-\\d+|idgen\\.\\S+";

    /** The content between a heading and the next one, of any level, or a row of a reference table. */
    record Section(Element heading, List<Element> content) {
        /** Returns the text of the section. */
        String text() {
            return String.join(" ", content.stream().map(Element::text).toList());
        }

        /** Returns what the section defines: a setting, an error code, or the first column of its tables. */
        List<String> terms() {
            return heading.is("td")
                    ? List.of(heading.text())
                    : content.stream()
                            .flatMap(element -> element.select("td:first-child:not([id])").stream())
                            .map(Element::text)
                            .toList();
        }
    }

    static Page read(Path root, Path source) throws IOException {
        String html = RENDERER.render(PARSER.parse(Files.readString(root.resolve(source))));
        Document document = Jsoup.parseBodyFragment(html);
        document.outputSettings().prettyPrint(false);
        for (Element cell : document.select("td:first-child")) {
            if (cell.text().matches(REFERENCE)) {
                cell.id(cell.text());
            }
        }
        document.select("table").wrap("<div class=\"table\"></div>");
        return new Page(source, document.body());
    }

    /** Returns the path in the site: the same as in the project, but {@code index.html} for each {@code README.md}. */
    Path target() {
        String name = source.getFileName().toString();
        return source.resolveSibling(name.equals("README.md") ? "index.html" : name.replaceFirst("\\.md$", ".html"));
    }

    String title() {
        return body.expectFirst("h1").text();
    }

    /** Returns the first paragraph with a sentence, or an empty text. */
    String summary() {
        return body.select("p").stream()
                .filter(Page::isSentence)
                .findFirst()
                .map(Element::text)
                .orElse("");
    }

    /** Tells a paragraph of sentences from the badges and the links to other languages. */
    static boolean isSentence(Element paragraph) {
        return paragraph.is("p") && paragraph.text().matches("(?s).*[.:。：]");
    }

    /** Returns whether this is {@code README.md} of the project, in any language: the site begins with it. */
    boolean isLanding() {
        return source.toString().startsWith("README.");
    }

    /** Returns how much a match counts in a search, from 0 to 1: users rarely look for internals. */
    double weight() {
        return source.startsWith("docs/internals") || source.endsWith("docs/README.md")
                ? 0.1
                : source.startsWith("docs") && language().equals("en") ? 1 : 0.6;
    }

    String language() {
        return source.toString().endsWith(".zh-CN.md") ? "zh-CN" : "en";
    }

    List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        for (Element element : body.children()) {
            if (element.is("h1, h2, h3, h4")) {
                sections.add(new Section(element, new ArrayList<>()));
            } else if (!sections.isEmpty()) {
                sections.get(sections.size() - 1).content().add(element);
            }
        }
        for (Element cell : body.select("td[id]")) {
            sections.add(new Section(cell, cell.nextElementSiblings()));
        }
        return sections;
    }
}
