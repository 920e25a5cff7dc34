package io.idgen.examples.quickstart;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;

/** The source files of the project. */
final class Sources {
    private static final Set<String> CHANGING = Set.of("target", "node_modules", ".git");

    private Sources() {}

    /**
     * Returns the names of all classes whose file matches. Reads no folder that another module of the same build may
     * change meanwhile.
     */
    static Set<String> classes(String path) throws IOException {
        Set<String> classes = new HashSet<>();
        Files.walkFileTree(Pages.ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return CHANGING.contains(String.valueOf(folder.getFileName()))
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().matches(path + "\\.java")) {
                    classes.add(file.toString().replaceAll(".*/|\\.java$", ""));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return classes;
    }
}
