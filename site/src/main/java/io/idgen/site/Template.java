package io.idgen.site;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Puts the content of a page into {@code page.html}, with navigation, contents, and the neighbouring pages. */
final class Template {
    private final String html;
    private final Navigation navigation;

    Template(Navigation navigation) throws IOException {
        this.html = new String(resource("page.html"), StandardCharsets.UTF_8);
        this.navigation = navigation;
    }

    /**
     * Returns a whole HTML page.
     *
     * @param target the page's file in the site
     * @param title the title of the page
     * @param language the language of the page
     * @param content an element whose children are the content
     */
    String render(Path target, String title, String language, Element content) {
        Document document = Jsoup.parse(html);
        document.outputSettings().prettyPrint(false);
        document.expectFirst("html").attr("lang", language);
        document.title(title.equals("idgen") ? title : title + " · idgen");
        String toRoot = "../".repeat(target.getNameCount() - 1);
        document.body().attr("data-root", toRoot);
        for (Element element : document.select("[href], [src]")) {
            String attribute = element.hasAttr("href") ? "href" : "src";
            if (!element.attr(attribute).startsWith("#")) {
                element.attr(attribute, toRoot + element.attr(attribute));
            }
        }
        fillNavigation(document.expectFirst("#pages nav"), target);
        fillContents(document.expectFirst("#contents"), content.select("h2, h3"));
        document.expectFirst("main").prepend(content.html());
        fillNeighbours(document.expectFirst("#neighbours"), target);
        return document.outerHtml();
    }

    private void fillNavigation(Element nav, Path target) {
        for (Navigation.Group group : navigation.groups()) {
            nav.appendElement("h2").text(group.reader());
            Element list = nav.appendElement("ul");
            for (Page page : group.pages()) {
                Element link = appendLink(list.appendElement("li"), target, page);
                if (page.target().equals(target)) {
                    link.attr("aria-current", "page");
                }
            }
        }
    }

    private void fillNeighbours(Element nav, Path target) {
        List<Page> pages = navigation.pages();
        int at = pages.stream().map(Page::target).toList().indexOf(target);
        if (at > 0) {
            appendLink(nav, target, pages.get(at - 1)).attr("rel", "prev");
        }
        if (at >= 0 && at + 1 < pages.size()) {
            appendLink(nav, target, pages.get(at + 1)).attr("rel", "next");
        }
        if (nav.childrenSize() == 0) {
            nav.remove();
        }
    }

    private static Element appendLink(Element parent, Path target, Page page) {
        return parent.appendElement("a")
                .attr("href", PageLinks.relative(target, page.target()))
                .text(page.title());
    }

    private static void fillContents(Element contents, List<Element> headings) {
        if (headings.size() < 2) {
            contents.remove();
            return;
        }
        Element list = contents.expectFirst("nav").appendElement("ul");
        for (Element heading : headings) {
            list.appendElement("li")
                    .addClass(heading.normalName())
                    .appendElement("a")
                    .attr("href", "#" + heading.id())
                    .text(heading.text());
        }
    }

    /** Returns a file next to {@code page.html}, or, if the name has a leading slash, a file of a WebJar. */
    static byte[] resource(String name) throws IOException {
        try (InputStream file = Objects.requireNonNull(Template.class.getResourceAsStream(name), name)) {
            return file.readAllBytes();
        }
    }
}
