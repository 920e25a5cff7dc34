package io.idgen.site;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.jsoup.nodes.Element;

/** Writes the site. Readers need no network and no server: it opens from a disk. */
public final class SiteBuild {
    private static final Path README_OF_DOCS = Path.of("docs", "README.md");

    private SiteBuild() {}

    /**
     * Writes the site into an emptied folder.
     *
     * @param arguments the project's folder, the site's folder, the repository's URL, and the folders of the modules
     *     whose javadoc is shown
     * @throws IOException if a file cannot be read or written
     * @throws IllegalStateException if a module has no javadoc, or a link leads nowhere
     */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]).toAbsolutePath().normalize();
        Path out = Path.of(arguments[1]).toAbsolutePath().normalize();
        List<String> modules = Arrays.asList(arguments).subList(3, arguments.length);
        write(root, out, arguments[2], modules);
        System.out.println("The site: " + out.resolve("index.html").toUri());
    }

    static void write(Path root, Path out, String repositoryUrl, List<String> modules) throws IOException {
        empty(out);
        Map<Path, Page> pages = pages(root);
        Page index = Objects.requireNonNull(pages.get(README_OF_DOCS), "docs/README.md is missing");
        Template template = new Template(Navigation.of(index, pages));
        PageLinks links = new PageLinks(root, repositoryUrl, pages);
        for (Page page : pages.values()) {
            links.rewrite(page);
            copyImages(page, root, out);
            write(out, page.target(), template.render(page.target(), page.title(), page.language(), page.body()));
        }
        Element api = ApiDocs.copy(root, modules, out);
        write(out, ApiDocs.INDEX, template.render(ApiDocs.INDEX, "API", "en", api));
        write(out, SearchIndex.FILE, SearchIndex.of(pages.values()));
        copyAssets(out.resolve("assets"));
        Set<String> broken = BrokenLinks.in(out);
        if (!broken.isEmpty()) {
            throw new IllegalStateException("links that lead nowhere:\n  " + String.join("\n  ", broken));
        }
    }

    /** Returns the project's Markdown files: those of its root, and all in {@code docs}. */
    private static Map<Path, Page> pages(Path root) throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> top = Files.list(root);
                Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .forEach(file -> sources.add(root.relativize(file)));
        }
        Map<Path, Page> pages = new LinkedHashMap<>();
        for (Path source : sources) {
            pages.put(source, Page.read(root, source));
        }
        return pages;
    }

    private static void copyImages(Page page, Path root, Path out) throws IOException {
        for (String image : page.body().select("img").eachAttr("src")) {
            Path file = page.source().resolveSibling(image).normalize();
            if (Files.exists(root.resolve(file)) && !Files.exists(out.resolve(file))) {
                Files.createDirectories(out.resolve(file).getParent());
                Files.copy(root.resolve(file), out.resolve(file));
            }
        }
    }

    private static void copyAssets(Path assets) throws IOException {
        for (String asset : List.of("site.css", "site.js", "icon.svg")) {
            Files.write(assets.resolve(asset), Template.resource(asset));
        }
        Properties lunr = new Properties();
        lunr.load(new ByteArrayInputStream(Template.resource("/META-INF/maven/org.webjars.npm/lunr/pom.properties")));
        String webJar = "/META-INF/resources/webjars/lunr/" + lunr.getProperty("version") + "/";
        Files.write(assets.resolve("lunr.min.js"), Template.resource(webJar + "lunr.min.js"));
        Files.write(assets.resolve("lunr-license.txt"), Template.resource(webJar + "LICENSE"));
    }

    private static void write(Path out, Path file, String text) throws IOException {
        Files.createDirectories(out.resolve(file).getParent());
        Files.writeString(out.resolve(file), text);
    }

    private static void empty(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
