package io.idgen.spring.boot;

import io.idgen.core.ErrorCode;
import io.idgen.core.IdGenerationException;
import java.util.stream.Stream;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows why idgen refused to start, and the lines of {@code application.yaml} that solve the problem. */
final class IdgenFailureAnalyzer extends AbstractFailureAnalyzer<IdGenerationException> {
    @Override
    protected FailureAnalysis analyze(Throwable root, IdGenerationException cause) {
        return new FailureAnalysis(cause.getMessage(), action(cause.code()), cause);
    }

    private static String action(ErrorCode code) {
        String lines = switch (code) {
            case TABLE_MISSING -> """
                        idgen:
                          jdbc:
                            initialize-schema: %s   # creates idgen's tables
                        """.formatted(creator());
            case NO_DATABASE, WORKER_ID_UNKNOWN -> """
                        idgen:
                          jdbc:
                            url: jdbc:postgresql://host/database
                            user: application
                            password: ${DATABASE_PASSWORD}
                        """;
            default -> "";
        };
        return lines.isEmpty()
                ? code.wayOut()
                : code.wayOut() + System.lineSeparator() + "In application.yaml:" + System.lineSeparator()
                        + System.lineSeparator() + lines;
    }

    private static String creator() {
        return Stream.of(MigrationTool.values())
                .filter(MigrationTool::isPresent)
                .map(MigrationTool::toString)
                .findFirst()
                .orElse("always");
    }
}
