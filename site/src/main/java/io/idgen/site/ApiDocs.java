package io.idgen.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;

/** Copies the javadoc of each module into a folder below {@code api}, and lists the modules. */
final class ApiDocs {
    static final Path INDEX = Path.of("api", "index.html");

    private ApiDocs() {}

    /**
     * Copies the javadoc that Maven wrote earlier in the same build.
     *
     * @param root the project's folder
     * @param modules the folders of modules below it
     * @param out the site's folder
     * @return the content of the page that lists the modules
     * @throws IllegalStateException if a module has no javadoc
     */
    static Element copy(Path root, List<String> modules, Path out) throws IOException {
        Element body = Jsoup.parseBodyFragment("<h1>API</h1><dl></dl>").body();
        Element list = body.expectFirst("dl");
        for (String module : modules) {
            Path javadoc = root.resolve(module).resolve("target/reports/apidocs");
            if (!Files.exists(javadoc.resolve("index.html"))) {
                throw new IllegalStateException(javadoc + " has no javadoc: run "
                        + "mvn -q package -Psite -pl site -am -DskipTests in the project's folder");
            }
            String name = Path.of(module).getFileName().toString();
            copy(javadoc, out.resolve("api").resolve(name));
            list.appendElement("dt")
                    .appendElement("a")
                    .attr("href", name + "/index.html")
                    .text(name);
            list.appendElement("dd").text(description(root.resolve(module)));
        }
        return body;
    }

    private static String description(Path module) throws IOException {
        String pom = Files.readString(module.resolve("pom.xml"));
        return Jsoup.parse(pom, Parser.xmlParser())
                .expectFirst("project > description")
                .text();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = to.resolve(from.relativize(file));
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
    }
}
