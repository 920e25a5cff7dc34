package io.idgen.site;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Finds links within the site whose target is missing. */
final class BrokenLinks {
    /** Javadoc of JDK 17 links an anchor in this page that it does not write. */
    private static final String CONSTANTS = "constant-values.html";

    /** The targets of a page's links, and the anchors that other links can lead to. */
    private record Linked(List<String> targets, Set<String> anchors) {}

    private BrokenLinks() {}

    /** Returns {@code page: link} for each link to a file that is not in the folder, or to a missing anchor. */
    static Set<String> in(Path folder) throws IOException {
        Map<Path, Linked> pages = new HashMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".html"))
                    .filter(each -> !each.endsWith(CONSTANTS))
                    .toList()) {
                pages.put(file, read(file));
            }
        }
        Set<String> broken = new TreeSet<>();
        pages.forEach((page, linked) -> linked.targets().stream()
                .filter(target -> !leadsSomewhere(page, target, pages))
                .forEach(target -> broken.add(folder.relativize(page) + ": " + target)));
        return broken;
    }

    private static Linked read(Path file) throws IOException {
        Document document = Jsoup.parse(file, "UTF-8");
        List<String> targets = document.select("[href], [src]").stream()
                .map(element -> element.hasAttr("href") ? element.attr("href") : element.attr("src"))
                .filter(target -> !target.matches("(?i)[a-z]+:.*"))
                .distinct()
                .toList();
        Set<String> anchors = new HashSet<>(document.select("[id]").eachAttr("id"));
        anchors.addAll(document.select("a[name]").stream()
                .map((Element anchor) -> anchor.attr("name"))
                .toList());
        return new Linked(targets, anchors);
    }

    private static boolean leadsSomewhere(Path page, String target, Map<Path, Linked> pages) {
        String[] parts = target.split("#", 2);
        String path = decoded(parts[0].replaceFirst("\\?.*", ""));
        Path file = path.isEmpty() ? page : page.resolveSibling(path).normalize();
        if (!Files.isRegularFile(file)) {
            return false;
        }
        Linked linked = pages.get(file);
        return parts.length == 1
                || parts[1].isEmpty()
                || linked == null
                || linked.anchors().contains(decoded(parts[1]));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
