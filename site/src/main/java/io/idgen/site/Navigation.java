package io.idgen.site;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/**
 * The pages by reader, as {@code docs/README.md} lists them. Each heading and each row of a table begins a group.
 *
 * @param groups in the order of the page
 */
record Navigation(List<Group> groups) {
    /** The pages of one reader. */
    record Group(String reader, List<Entry> entries) {}

    /** A page, or one of its headings. */
    record Entry(String label, Path page, String anchor) {}

    /** Reads the index, before its links are rewritten. */
    static Navigation of(Page index, Map<Path, Page> pages) {
        List<Group> groups = new ArrayList<>();
        for (Element element : index.body().select("h2, h3, td:first-child, a[href]")) {
            if (!element.is("a")) {
                groups.add(new Group(element.text(), new ArrayList<>()));
                continue;
            }
            Entry entry = entry(index, element.attr("href"), pages);
            if (entry != null && !groups.isEmpty()) {
                List<Entry> entries = groups.get(groups.size() - 1).entries();
                if (!entries.contains(entry)) {
                    entries.add(entry);
                }
            }
        }
        return new Navigation(
                groups.stream().filter(group -> !group.entries().isEmpty()).toList());
    }

    private static @Nullable Entry entry(Page index, String href, Map<Path, Page> pages) {
        String[] parts = href.split("#", 2);
        Page page = pages.get(index.source().resolveSibling(parts[0]).normalize());
        if (page == null) {
            return null;
        }
        if (parts.length == 1) {
            return new Entry(page.title(), page.target(), "");
        }
        Element heading = page.body().getElementById(parts[1]);
        return heading == null ? null : new Entry(heading.text(), page.target(), "#" + parts[1]);
    }
}
