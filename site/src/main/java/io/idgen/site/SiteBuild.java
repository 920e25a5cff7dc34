package io.idgen.site;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
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
    private static final Path README = Path.of("README.md");
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
        Navigation navigation = Navigation.of(index, pages);
        Template template = new Template(navigation);
        write(
                out,
                Path.of("llms.txt"),
                ToolTexts.index(Objects.requireNonNull(pages.get(README), "README.md is missing"), navigation));
        write(out, Path.of("llms-full.txt"), ToolTexts.full(root, navigation));
        PageLinks links = new PageLinks(root, repositoryUrl, pages);
        for (Page page : pages.values()) {
            links.rewrite(page);
            copyImages(page, root, out);
            Element content = page.isLanding() ? Landing.of(page, navigation) : page.body();
            write(out, page.source(), Files.readString(root.resolve(page.source())));
            write(out, page.target(), template.render(page.target(), page.title(), page.language(), content));
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
        for (String asset : List.of("site.css", "site.js", "search.js", "icon.svg")) {
            Files.write(assets.resolve(asset), Template.resource(asset));
        }
        copyWebJar("lunr", List.of("lunr.min.js"), assets);
        // a language comes after those that it extends
        copyWebJar(
                "prismjs",
                Stream.of("core", "clike", "markup", "java", "kotlin", "sql", "yaml", "properties", "bash")
                        .map(part -> "components/prism-" + part + ".min.js")
                        .toList(),
                assets);
    }

    /** Joins files of a WebJar to one script with the library's name, and copies the licence. */
    private static void copyWebJar(String name, List<String> files, Path assets) throws IOException {
        Properties library = new Properties();
        library.load(new ByteArrayInputStream(
                Template.resource("/META-INF/maven/org.webjars.npm/" + name + "/pom.properties")));
        String folder = "/META-INF/resources/webjars/" + name + "/" + library.getProperty("version") + "/";
        try (OutputStream script = Files.newOutputStream(assets.resolve(name + ".js"))) {
            for (String file : files) {
                script.write(Template.resource(folder + file));
                script.write('\n');
            }
        }
        Files.write(assets.resolve(name + "-license.txt"), Template.resource(folder + "LICENSE"));
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
