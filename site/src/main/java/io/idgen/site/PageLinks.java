package io.idgen.site;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jsoup.nodes.Element;

/** Rewrites links between the project's files into links of the site. */
final class PageLinks {
    private final Path root;
    private final String repositoryUrl;
    private final Map<Path, Page> pages;

    /**
     * Creates the rewriting for a project.
     *
     * @param root the project's folder
     * @param repositoryUrl the URL of the repository, for links to files that are not pages
     * @param pages all pages by their source
     */
    PageLinks(Path root, String repositoryUrl, Map<Path, Page> pages) {
        this.root = root;
        this.repositoryUrl = repositoryUrl;
        this.pages = pages;
    }

    /** Changes the links of a page. A link to no file of the project stays, and {@link BrokenLinks} reports it. */
    void rewrite(Page page) {
        for (Element link : page.body().select("a[href]")) {
            String href = link.attr("href");
            if (!href.startsWith("#") && !href.matches("[a-z]+:.*")) {
                rewrite(page, link, href);
            }
        }
    }

    private void rewrite(Page page, Element link, String href) {
        int hash = href.indexOf('#');
        String anchor = hash < 0 ? "" : href.substring(hash);
        Path file = page.source()
                .resolveSibling(hash < 0 ? href : href.substring(0, hash))
                .normalize();
        Page linked = pages.getOrDefault(file, pages.get(file.resolve("README.md")));
        if (linked != null) {
            link.attr("href", relative(page.target(), linked.target()) + anchor);
            if (link.text().endsWith(".md")) {
                link.text(linked.title());
            }
        } else if (Files.exists(root.resolve(file))) {
            String kind = Files.isDirectory(root.resolve(file)) ? "/tree" : "/blob";
            link.attr("href", repositoryUrl + kind + "/HEAD/" + file + anchor);
        }
    }

    /** Returns the path from one file of the site to another. */
    static String relative(Path from, Path to) {
        Path absolute = Path.of("/");
        return absolute.resolve(from)
                .getParent()
                .relativize(absolute.resolve(to))
                .toString();
    }
}
