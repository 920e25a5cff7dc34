package io.idgen.site;

import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** The data of the search. It is a script, because browsers do not let a page from the disk fetch data. */
final class SearchIndex {
    static final Path FILE = Path.of("assets", "search-index.js");

    private SearchIndex() {}

    /** Returns the script, with one entry for each section of each page. */
    static String of(Collection<Page> pages) {
        List<Map<String, Object>> entries = pages.stream()
                .flatMap(page -> page.sections().stream().map(section -> entry(page, section)))
                .toList();
        return "window.searchIndex = " + new JsonMapper().writeValueAsString(entries) + ";\n";
    }

    private static Map<String, Object> entry(Page page, Page.Section section) {
        boolean first = section.heading().is("h1");
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("url", page.target() + (first ? "" : "#" + section.heading().id()));
        entry.put("page", page.title());
        entry.put("heading", first ? "" : section.heading().text());
        entry.put("terms", String.join(" ", section.terms()));
        entry.put("text", section.text());
        entry.put("weight", page.weight() * (section.heading().is("td") ? 0.6 : 1));
        return entry;
    }
}
