package io.idgen.site;

import java.util.List;
import org.jsoup.nodes.Element;

/** Builds the landing page from README: the first sentences, the code, and the picture. */
final class Landing {
    private static final int CODE_BLOCKS = 2;

    private Landing() {}

    /** Returns the content with a box for all before the second heading, and links to the first pages of its reader. */
    static Element of(Page page, Navigation navigation) {
        Element body = page.body().clone();
        List<Element> intro =
                body.children().stream().takeWhile(element -> !element.is("h2")).toList();
        Element hero = body.prependElement("div").addClass("hero");
        Element lead = hero.appendElement("div");
        Element code = hero.appendElement("div");
        for (Element element : intro) {
            if (!lead.select("p").isEmpty()) {
                boolean complete = code.select("pre").size() == CODE_BLOCKS;
                (complete ? hero : code).appendChild(element);
            } else if (element.is("h1") || Page.isSentence(element)) {
                lead.appendChild(element);
            } else {
                element.remove(); // badges, and links to other languages, which the bar has
            }
        }
        Element links = lead.appendElement("p").addClass("start");
        for (Page first : navigation.startFor(page)) {
            links.appendElement("a")
                    .attr("href", PageLinks.relative(page.target(), first.target()))
                    .text(first.title());
        }
        return body;
    }
}
