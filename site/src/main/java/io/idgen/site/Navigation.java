package io.idgen.site;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jsoup.nodes.Element;

/**
 * The pages by reader, as {@code docs/README.md} lists them. Each heading and each row of a table begins a group. A
 * page that is listed twice is in the first group.
 *
 * @param groups in the order of the page
 */
record Navigation(List<Group> groups) {
    /** The pages of one reader. */
    record Group(String reader, List<Page> pages) {}

    /** Reads the index, before its links are rewritten. */
    static Navigation of(Page index, Map<Path, Page> pages) {
        List<Group> groups = new ArrayList<>();
        Set<Page> listed = new HashSet<>();
        for (Element element : index.body().select("h2, h3, td:first-child, a[href]")) {
            if (!element.is("a")) {
                groups.add(new Group(element.text(), new ArrayList<>()));
                continue;
            }
            String file = element.attr("href").replaceFirst("#.*", "");
            Page page = pages.get(index.source().resolveSibling(file).normalize());
            if (page != null && !groups.isEmpty() && listed.add(page)) {
                groups.get(groups.size() - 1).pages().add(page);
            }
        }
        return new Navigation(
                groups.stream().filter(group -> !group.pages().isEmpty()).toList());
    }

    /** Returns the pages to begin with after a README: those of its reader, for example in Chinese, or the first. */
    List<Page> startFor(Page readme) {
        List<Page> pages = groups.stream()
                .map(Group::pages)
                .filter(each -> each.contains(readme))
                .findFirst()
                .orElse(groups.get(0).pages());
        return pages.stream().filter(page -> !page.equals(readme)).toList();
    }

    /** Returns all pages in the order in which they are listed. */
    List<Page> pages() {
        return groups.stream().flatMap(group -> group.pages().stream()).toList();
    }
}
