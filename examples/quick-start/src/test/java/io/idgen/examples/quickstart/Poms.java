package io.idgen.examples.quickstart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The project's own files for Maven. */
final class Poms {
    static final Path ROOT = Path.of("..", "..");

    private Poms() {}

    static Element parent() {
        return of("parent");
    }

    static Element of(String folder) {
        return read(ROOT.resolve(folder).resolve("pom.xml"));
    }

    private static Element read(Path file) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(file.toFile())
                    .getDocumentElement();
        } catch (IOException | ParserConfigurationException | SAXException e) {
            throw new IllegalStateException(file + " cannot be read", e);
        }
    }

    /**
     * Returns the released modules, by their folders: all whose parent is {@code parent/published}.
     */
    static Map<String, String> published() {
        Map<String, String> published = new LinkedHashMap<>();
        for (String folder : modules()) {
            Element pom = of(folder);
            if (parentOf(pom).equals("idgen-published")) {
                published.put(folder, text(pom, "artifactId"));
            }
        }
        return published;
    }

    /** Returns the folders of all modules that the default build or a profile has. */
    static Set<String> modules() {
        Element root = of(".");
        return Stream.concat(Stream.of(root), elements(child(root, "profiles")).stream())
                .flatMap(each -> elements(child(each, "modules")).stream())
                .map(Element::getTextContent)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns the name of the artifact that a file has as its parent, or an empty string. */
    static String parentOf(Element pom) {
        Element parent = child(pom, "parent");
        return parent == null ? "" : text(parent, "artifactId");
    }

    /** Returns the properties that a file sets itself. */
    static Map<String, String> properties(Element pom) {
        Map<String, String> properties = new LinkedHashMap<>();
        Element section = child(pom, "properties");
        if (section != null) {
            elements(section).forEach(each -> properties.put(each.getTagName(), each.getTextContent()));
        }
        return properties;
    }

    /** Returns the dependencies that a file manages. */
    static List<Element> managed(Element pom) {
        return elements(child(child(pom, "dependencyManagement"), "dependencies"));
    }

    static List<Element> elements(Element parent) {
        NodeList nodes = parent.getChildNodes();
        return IntStream.range(0, nodes.getLength())
                .mapToObj(nodes::item)
                .filter(node -> node.getNodeType() == Node.ELEMENT_NODE)
                .map(Element.class::cast)
                .toList();
    }

    /** Returns the first child of this name, or null. */
    static Element child(Element parent, String name) {
        return elements(parent).stream()
                .filter(each -> each.getTagName().equals(name))
                .findFirst()
                .orElse(null);
    }

    static String text(Element parent, String name) {
        return child(parent, name).getTextContent();
    }

    static String file(String path) {
        try {
            return Files.readString(ROOT.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
